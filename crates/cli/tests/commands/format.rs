//! `zonewright format` over files and standard input.

use crate::support::{hostile_inputs, run, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Creates a directory with these files; returns it and their paths.
fn create_folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.path().join(name)).collect();
    for (path, (_, text)) in paths.iter().zip(files) {
        fs::write(path, text).unwrap();
    }
    (folder, paths)
}

fn format(options: &[&str], paths: &[PathBuf]) -> Output {
    let paths = paths.iter().map(|path| path.to_str().unwrap());
    run(&["format"].into_iter().chain(options.iter().copied()).chain(paths).collect::<Vec<_>>(), "")
}

fn count_files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn format_of_stdin_writes_stdout_and_keeps_the_final_line_break() {
    let cases: [(&[&str], &str, &str); 9] = [
        (&["format"], "ssl   and(sip)", "ssl and (sip)"),
        (&["format"], "ssl   and(sip)\n", "ssl and (sip)\n"),
        (&["format", "-"], "ssl   and(sip)\r\n", "ssl and (sip)\r\n"),
        (&["format"], "\n  ssl\n\n", "ssl\n"),
        (&["format", "--style", "compact"], "(ssl) and (sip)", "(ssl)and(sip)"),
        (&["format", "--operators", "symbols"], "ssl and not sip", "ssl && !sip"),
        (&["format", "--operators", "english"], "ssl && !sip", "ssl and not sip"),
        (&["format", "--width", "10"], "ssl and not sip", "ssl\nand not sip"),
        (&["format"], "http.hots eq 5\n", "http.hots eq 5\n"),
    ];
    for (arguments, input, expected) in cases {
        let output = run(arguments, input);
        assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(0)), "{arguments:?} {input:?}");
        assert_eq!(stderr(&output), "", "{arguments:?} {input:?}");
    }
}

#[test]
fn files_are_rewritten_without_leftover_files() {
    let (folder, paths) = create_folder(&[("a", "ssl   and sip\n"), ("b", "ssl\r\n"), ("c", "ssl   or sip")]);
    let output = format(&[], &paths);
    assert_eq!((stdout(&output).as_str(), stderr(&output).as_str(), output.status.code()), ("", "", Some(0)));
    let texts: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    assert_eq!(texts, ["ssl and sip\n", "ssl\r\n", "ssl or sip"]);
    assert_eq!(count_files(folder.path()), 3);
}

#[test]
fn check_lists_unformatted_files_and_changes_nothing() {
    let (_folder, paths) = create_folder(&[("a", "ssl   and sip\n"), ("b", "ssl\n"), ("c", "ssl   or sip")]);
    let output = format(&["--check"], &paths);
    let names = format!("{}\n{}\n", paths[0].display(), paths[2].display());
    assert_eq!((stdout(&output), output.status.code()), (names, Some(1)));
    assert_eq!(fs::read_to_string(&paths[0]).unwrap(), "ssl   and sip\n");
    assert_eq!(format(&["--check"], &paths[1..2]).status.code(), Some(0));
    let output = run(&["format", "--check"], "ssl  and sip");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("<stdin>\n", Some(1)));
}

#[test]
fn file_with_syntax_error_is_reported_and_unchanged() {
    let (_folder, paths) = create_folder(&[("a", "http.host eq 'a'  and ssl\n"), ("b", "ssl   and sip\n")]);
    let output = format(&[], &paths);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(1)));
    let message = stderr(&output);
    assert!(message.contains("error[single-quotes]") && message.contains("a:1:14"), "{message}");
    assert_eq!(fs::read_to_string(&paths[0]).unwrap(), "http.host eq 'a'  and ssl\n");
    assert_eq!(fs::read_to_string(&paths[1]).unwrap(), "ssl and sip\n");
    assert_eq!(format(&["--check"], &paths).status.code(), Some(1));
}

#[test]
fn unreadable_files_are_reported_and_the_others_formatted() {
    let (folder, mut paths) = create_folder(&[("a", "ssl   and sip\n"), ("b", "ssl   and sip\n")]);
    fs::write(&paths[0], b"ssl\xff").unwrap();
    paths.insert(0, folder.path().join("missing"));
    let output = format(&[], &paths);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("missing: no such file") && message.contains("a: the input is not valid UTF-8"),
        "{message}"
    );
    assert_eq!(fs::read_to_string(&paths[2]).unwrap(), "ssl and sip\n");
}

#[cfg(unix)]
#[test]
fn format_preserves_links_and_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, paths) = create_folder(&[("a", "ssl   and sip\n"), ("read-only", "ssl   and sip\n")]);
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&paths[0], &link).unwrap();
    fs::set_permissions(&paths[0], fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(&paths[1], fs::Permissions::from_mode(0o440)).unwrap();
    assert_eq!(format(&[], std::slice::from_ref(&link)).status.code(), Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&paths[0]).unwrap(), "ssl and sip\n");
    assert_eq!(fs::metadata(&paths[0]).unwrap().permissions().mode() & 0o777, 0o640);
    let output = format(&[], &paths[1..]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("read-only: cannot write the file"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&paths[1]).unwrap(), "ssl   and sip\n");
}

#[test]
fn format_reports_invalid_arguments_and_hostile_input() {
    for arguments in [&["format", "--style", "pretty"][..], &["format", "--width", "-1"], &["format", "--nonsense"]] {
        assert_eq!(run(arguments, "ssl").status.code(), Some(2), "{arguments:?}");
    }
    for (name, source) in hostile_inputs() {
        let output = run(&["format"], source);
        // An invalid regular expression is not a syntax error.
        let code = if name == "a huge regex" { 0 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{name}");
    }
}
