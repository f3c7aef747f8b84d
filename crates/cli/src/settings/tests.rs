use super::*;
use clap::Parser;
use std::io::Write;

/// Options of every kind.
#[derive(Args, Debug, PartialEq)]
struct Options {
    #[arg(long)]
    config: Option<PathBuf>,
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=9))]
    number: u64,
    #[arg(long = "log-text")]
    text: Option<String>,
    #[arg(long)]
    name: Vec<String>,
    #[arg(long)]
    on: bool,
}

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    options: CommandLineOptions<Options>,
}

/// Merges these flags with a file, without an environment.
fn resolve(flags: &[&str], file: Option<&str>) -> Result<Options, Vec<String>> {
    let mut flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
    flags.insert(0, "program".into());
    let mut config_file = tempfile::NamedTempFile::new().unwrap();
    if let Some(text) = file {
        config_file.write_all(text.as_bytes()).unwrap();
        flags.extend(["--config".into(), config_file.path().as_os_str().to_owned()]);
    }
    let path = config_file.path().display().to_string();
    let result = Program::try_parse_from(flags).unwrap().options.resolve();
    result
        .map(|resolved| Options { config: None, ..resolved.options })
        .map_err(|problems| problems.iter().map(|problem| problem.replace(&path, "FILE")).collect())
}

fn options(number: u64, text: Option<&str>, name: &[&str], on: bool) -> Options {
    let name = name.iter().map(|name| (*name).to_owned()).collect();
    Options { config: None, number, text: text.map(str::to_owned), name, on }
}

#[test]
fn flags_override_the_file() {
    let file = "number = 3\nlog-text = \"t\"\nname = [\"a\", \"b\"]\non = true\n";
    let cases = [
        (&[][..], None, options(5, None, &[], false)),
        (&["--number", "7", "--on", "--name", "x", "--name", "y"], None, options(7, None, &["x", "y"], true)),
        (&[], Some(file), options(3, Some("t"), &["a", "b"], true)),
        (&["--number=4", "--on=false", "--name=x"], Some(file), options(4, Some("t"), &["x"], false)),
        (&[], Some("name = \"one\""), options(5, None, &["one"], false)),
    ];
    for (flags, file, expected) in cases {
        assert_eq!(resolve(flags, file), Ok(expected), "{flags:?}");
    }
}

#[test]
fn file_reports_every_error_with_its_line() {
    let file = "nubmer = 1\nnumber = 10\non = \"maybe\"\nname = [[]]\nlog-text = 1.5\n[section]\n";
    let problems = resolve(&[], Some(file)).unwrap_err();
    let expected = [
        "FILE, line 1: unknown option `nubmer`; did you mean `number`?",
        "FILE, line 4: `name` must be a list of strings",
        "FILE, line 5: `log-text` must be a string, an integer, `true`, or `false`",
        "FILE, line 6: unknown section `section`; write options at the top level, as in `log = \"warn\"`",
        "FILE, line 2: number: invalid value '10' for '--number <NUMBER>': 10 is not in 1..=9",
        "FILE, line 3: on: invalid value 'maybe' for '--on[=<true|false>]' [possible values: true, false]",
    ];
    assert_eq!(problems, expected);
    let problems = resolve(&[], Some("number = \n")).unwrap_err();
    assert!(problems[0].starts_with("FILE, line 1, column 10: invalid TOML: "), "{problems:?}");
    assert_eq!(resolve(&[], Some("config = \"a\"")).unwrap_err().len(), 1);
}

#[test]
fn environment_uses_uppercase_option_names() {
    let command = CommandLineOptions::<Options>::augment_args(Command::new("options"));
    let arguments: Vec<&Arg> = command.get_arguments().collect();
    let source = read_environment(&arguments, |name| match name {
        "ZONEWRIGHT_NUMBER" => Some("12".into()),
        "ZONEWRIGHT_LOG_TEXT" => Some("a,b".into()),
        "ZONEWRIGHT_NAME" => Some("a, b".into()),
        "ZONEWRIGHT_ON" => Some("".into()),
        _ => None,
    });
    assert_eq!(source.values("number").unwrap(), ["12"]);
    assert_eq!(source.values("log-text").unwrap(), ["a,b"]);
    assert_eq!(source.values("name").unwrap(), ["a", "b"]);
    assert!(source.values("on").is_none());
    assert_eq!(source.options[0].1, "ZONEWRIGHT_NUMBER in the environment");
}
