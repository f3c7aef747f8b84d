//! Startup messages of `zonewright serve`: invalid configurations, unavailable databases, and options without effect.

use crate::support::{run, stderr, zonewright};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A process that writes its output to a file; it is killed on drop.
struct RunningProcess {
    child: Child,
    folder: TempDir,
}

impl Drop for RunningProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl RunningProcess {
    fn spawn(mut command: Command) -> RunningProcess {
        let folder = TempDir::new().unwrap();
        let file = std::fs::File::create(folder.path().join("output")).unwrap();
        let child = command.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file).spawn().unwrap();
        RunningProcess { child, folder }
    }

    /// Waits until the output satisfies a condition, and returns the output.
    fn output_until(&mut self, is_done: impl Fn(&mut Child, &str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let ended = self.child.try_wait().unwrap().is_some();
            let output = std::fs::read_to_string(self.folder.path().join("output")).unwrap();
            if is_done(&mut self.child, &output) {
                return output;
            }
            assert!(!ended && start.elapsed() < Duration::from_secs(60), "incomplete output: {output}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The output of a command that exits because of its arguments.
fn error_output(command: Command) -> String {
    let mut started = RunningProcess::spawn(command);
    let output = started.output_until(|child, _| child.try_wait().unwrap().is_some());
    assert_eq!(started.child.wait().unwrap().code(), Some(2), "{output}");
    output
}

/// The output of a service up to this text; the service is killed then.
fn output_containing(command: Command, text: &str) -> String {
    RunningProcess::spawn(command).output_until(|_, output| output.contains(text))
}

/// Runs `serve` with a configuration file and returns its errors; `FILE` stands for the path.
fn config_file_errors(text: impl AsRef<[u8]>) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("z.toml");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let stderr_text =
        error_output(zonewright(&["serve", "--listen", "127.0.0.1:0", "--config", file])).replace(file, "FILE");
    stderr_text.lines().map(|line| line.strip_prefix("zonewright: ").unwrap_or(line).to_owned()).collect()
}

/// The command that starts a service on a data directory.
fn service_command(data: &Path, options: &[&str]) -> Command {
    let mut command = zonewright(&["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()]);
    command.args(options);
    command
}

#[test]
fn invalid_toml_reports_position_and_fix() {
    let forms = "write an option as `log = \"warn\"`, `max-connections = 5`, `no-demo = true`, or `host = [\"a.example\", \
                 \"b.example\"]`";
    let cases = [
        ("listen = 127.0.0.1:8787\n", "line 1, column 15: invalid TOML: ", "; write `listen = \"…\"`"),
        ("log = \"warn\"\n  no-demo = yes # of ours\n", "line 2, column 13: ", "; write `no-demo = true`"),
        ("no-demo = False\n", "line 1, column 11: ", "; write `no-demo = false`"),
        ("host = [a.example, \"b\"]\n", "line 1, column 9: ", "; write `host = [\"…\", \"…\"]`"),
        ("listen: \"127.0.0.1:0\"\n", "line 1, column 9: ", "; write `listen = \"…\"`"),
        ("data = \"C:\\Users\\me\"\n", "line 1, column 13: ", "; write `data = '…'`"),
        ("listen = \"127.0.0.1:0\n", "line 1, column 22: ", "; write `listen = \"…\"`"),
        ("max-connections = 05\n", "line 1, column 19: ", "; write `max-connections = …`"),
        ("postgres://me:hush@h/db\n", "line 1, column 24: ", forms),
        ("log = \"a\"\nlog = \"b\"\n", "line 2, column 1: ", "; set each option only once; write a list in brackets"),
        ("host = [\"a\"\nlog = \"b\"\n", "line 2, column 1: ", "; a `]` or a quote is missing before this line"),
        ("max connections = 5\n", "line 1, column 5: ", forms),
        ("{\"listen\": \"x\"}\n", "line 1, column 1: ", forms),
    ];
    for (text, location, remedy) in cases {
        let stderr_text = config_file_errors(text);
        assert!(
            stderr_text[0].starts_with(&format!("FILE, {location}")) && stderr_text[0].ends_with(remedy),
            "{text}: {stderr_text:?}"
        );
        assert_eq!(stderr_text.len(), 1, "{stderr_text:?}");
    }
    assert_eq!(
        config_file_errors(b"log = \"a\"\nhost = \"\xff\"\n"),
        ["FILE, line 2: invalid UTF-8; save the file as UTF-8"]
    );
    let secret = config_file_errors("database = postgres://me:hush@h/db\ndatabase-password-file = hush\n").join("\n");
    assert!(secret.contains("write `database = \"…\"`") && !secret.contains("hush"), "{secret}");
}

#[test]
fn unknown_keys_are_reported_in_order_with_suggestions() {
    let text = "rate_limit = 5\nlogpush_files = \"x\"\nmaxconnections = 4\nport = 3\n[server]\nlisten = \"a\"\n";
    let expected = [
        "FILE, line 1: unknown option `rate_limit`; did you mean `rate-limit`?",
        "FILE, line 2: unknown option `logpush_files`; did you mean `logpush-files`?",
        "FILE, line 3: unknown option `maxconnections`; did you mean `max-connections`?",
        "FILE, line 4: unknown option `port`; `zonewright serve --help` lists the options",
        "FILE, line 5: unknown section `server`; write options at the top level, as in `log = \"warn\"`",
    ];
    assert_eq!(config_file_errors(text), expected);
}

#[test]
fn unknown_environment_variables_cause_warnings() {
    let folder = TempDir::new().unwrap();
    let mut command = service_command(folder.path(), &[]);
    command.env("ZONEWRIGHT_RATE_LIMITS", "5").env("ZONEWRIGHT_RELAY_CREDENTIAL", "hush").env("ZONEWRIGHT_X", "1");
    command.env("ZONEWRIGHT_LOG", "info").env("ZONEWRIGHT_RELAY_PASSPHRASE", "");
    // Variables that container platforms set for a service with this name are not reported.
    command.env("ZONEWRIGHT_PORT_8787_TCP", "tcp://192.0.2.1:8787").env("ZONEWRIGHT_SERVICE_HOST", "192.0.2.1");
    for name in ["BIN", "DIST", "TARBALL", "TOOLS", "SOAK", "SQL_PYTHON", "TEST_POSTGRES", "TEST_DATABASE", "PORT"] {
        command.env(format!("ZONEWRIGHT_{name}"), "1");
    }
    let stderr_text = output_containing(command, "listening on");
    let expected = [
        "warning: unknown environment variable ZONEWRIGHT_RATE_LIMITS; did you mean ZONEWRIGHT_RATE_LIMIT?",
        "warning: unknown environment variable ZONEWRIGHT_RELAY_CREDENTIAL; did you mean ZONEWRIGHT_RELAY_CREDENTIALS?",
    ];
    for expected in expected {
        assert!(stderr_text.contains(&format!("zonewright: {expected}\n")), "{expected}\n{stderr_text}");
    }
    assert_eq!(stderr_text.matches("unknown environment variable").count(), expected.len(), "{stderr_text}");
    let mut admin = zonewright(&["admin", "account", "list", "--data", "/dev/null/nowhere"]);
    let stderr_text =
        stderr(&admin.env("ZONEWRIGHT_DATABSE", "postgres://h/db").env("ZONEWRIGHT_HOST", "a").output().unwrap());
    assert!(
        stderr_text.starts_with(
            "zonewright: warning: unknown environment variable ZONEWRIGHT_DATABSE; did you mean ZONEWRIGHT_DATABASE?\n"
        ),
        "{stderr_text}"
    );
    assert_eq!(stderr_text.matches("unknown environment variable").count(), 1, "{stderr_text}");
}

#[test]
fn invalid_log_filter_is_rejected_with_an_example() {
    for filter in ["nonsense", "inof", "", "warn,loud", "zonewright_server=lod", "[", "info;debug"] {
        let command = zonewright(&[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--data",
            "/dev/null/nowhere",
            &format!("--log={filter}"),
        ]);
        let stderr_text = error_output(command);
        assert!(stderr_text.contains("a level (error, warn, info, debug, trace, off)"), "{filter}: {stderr_text}");
        assert!(stderr_text.contains("such as `warn,zonewright_server=info`"), "{filter}: {stderr_text}");
    }
    let stderr_text = stderr(&run(&["serve", "--log", "warn,inof"], ""));
    assert!(stderr_text.contains("`inof` is not a level; did you mean `info`?"), "{stderr_text}");
}

#[test]
fn missing_logpush_directory_fails_startup() {
    let folder = TempDir::new().unwrap();
    let (data, logs) = (folder.path().join("data"), folder.path().join("logs"));
    let stderr_text = error_output(service_command(&data, &["--logpush-files", logs.to_str().unwrap()]));
    let logs = logs.display();
    assert!(
        stderr_text.contains(&format!("there is no directory {logs}; create it, or name another one")),
        "{stderr_text}"
    );
    assert!(stderr_text.contains("--logpush-files") && !data.exists(), "{stderr_text}");
    std::fs::write(folder.path().join("file"), "").unwrap();
    let mut command = service_command(&data, &[]);
    command.env("ZONEWRIGHT_LOGPUSH_FILES", folder.path().join("file"));
    let stderr_text = error_output(command);
    assert!(
        stderr_text.contains("ZONEWRIGHT_LOGPUSH_FILES in the environment")
            && stderr_text.contains("is not a directory"),
        "{stderr_text}"
    );
}

/// Starts a server that speaks enough of the PostgreSQL protocol to respond with an error of this code, or that never
/// responds. Returns its port.
fn start_fake_postgres(error: Option<(&'static str, &'static str)>) -> u16 {
    fn respond(mut stream: TcpStream, (code, message): (&str, &str)) -> std::io::Result<()> {
        let mut length = [0; 4];
        loop {
            stream.read_exact(&mut length)?;
            let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
            stream.read_exact(&mut body)?;
            // The client asks for TLS first.
            if body != 80_877_103_u32.to_be_bytes() {
                break;
            }
            stream.write_all(b"N")?;
        }
        let fields = format!("SFATAL\0VFATAL\0C{code}\0M{message}\0\0");
        stream.write_all(b"E")?;
        stream.write_all(&(fields.len() as u32 + 4).to_be_bytes())?;
        stream.write_all(fields.as_bytes())
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut silent = Vec::new();
        for stream in listener.incoming().flatten() {
            match error {
                Some(error) => drop(respond(stream, error)),
                None => silent.push(stream),
            }
        }
    });
    port
}

#[test]
fn unusable_database_is_reported_with_what_to_check() {
    let folder = TempDir::new().unwrap();
    let wrong_password = start_fake_postgres(Some(("28P01", "password authentication failed for user \"me\"")));
    let missing = start_fake_postgres(Some(("3D000", "database \"zw\" does not exist")));
    for (address, expected) in [
        (
            "nowhere.invalid".to_owned(),
            &["cannot resolve the database host `nowhere.invalid`", "check the host name"][..],
        ),
        (
            format!("127.0.0.1:{wrong_password}"),
            &[
                "`zw` at 127.0.0.1:PORT rejected the user `me`",
                "password authentication failed",
                "--database-password-file",
            ],
        ),
        (format!("127.0.0.1:{missing}"), &["there is no database `zw` at 127.0.0.1:PORT", "createdb zw"]),
    ] {
        let url = format!("postgres://me:hush@{address}/zw");
        let stderr_text = error_output(service_command(folder.path(), &["--database", &url]));
        let redacted = stderr_text.replace(&wrong_password.to_string(), "PORT").replace(&missing.to_string(), "PORT");
        for expected in expected {
            assert!(redacted.contains(expected), "{expected}: {redacted}");
        }
        assert!(!stderr_text.contains("hush"), "{stderr_text}");
        let stderr_text = error_output(zonewright(&["admin", "account", "create", "Mine", "--database", &url]));
        let redacted = stderr_text.replace(&wrong_password.to_string(), "PORT").replace(&missing.to_string(), "PORT");
        assert!(redacted.contains(expected[0]) && !stderr_text.contains("hush"), "{stderr_text}");
    }
}

#[test]
fn waiting_for_the_database_is_logged() {
    let folder = TempDir::new().unwrap();
    let silent = start_fake_postgres(None);
    // A port without a listener.
    let closed = 1;
    let assert_wait_is_logged = |port: u16| {
        let url = format!("postgres://me:hush@127.0.0.1:{port}/zw");
        let start = Instant::now();
        let stderr_text =
            output_containing(service_command(folder.path(), &["--database", &url]), "waiting for the database");
        assert!(stderr_text.contains(&format!("waiting for the database at 127.0.0.1:{port}")), "{stderr_text}");
        assert!(start.elapsed() > Duration::from_secs(2) && !stderr_text.contains("hush"), "{stderr_text}");
    };
    assert_wait_is_logged(silent);
    assert_wait_is_logged(closed);
    let url = format!("postgres://me:hush@127.0.0.1:{closed}/zw");
    let stderr_text = error_output(zonewright(&["admin", "account", "list", "--database", &url]));
    assert!(stderr_text.contains(&format!("waiting for the database at 127.0.0.1:{closed}")), "{stderr_text}");
    assert!(stderr_text.contains(&format!("`zw` at 127.0.0.1:{closed} does not respond: ")), "{stderr_text}");
    assert!(
        stderr_text.contains("check that PostgreSQL is running there") && !stderr_text.contains("hush"),
        "{stderr_text}"
    );
}

#[test]
fn public_metrics_address_causes_a_warning() {
    let folder = TempDir::new().unwrap();
    let output = |address: &str| {
        output_containing(service_command(folder.path(), &["--metrics-listen", address]), "listening on")
    };
    let warning = "are readable by any client that can reach this address";
    assert!(output("0.0.0.0:0").contains(warning) && !output("127.0.0.1:0").contains(warning));
}

#[test]
fn startup_without_accounts_explains_how_to_create_one() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let commands =
        "`zonewright admin user create EMAIL`, after `zonewright admin account create NAME` if there is no account yet";
    let output = output_containing(service_command(folder.path(), &["--no-demo"]), "no client can authenticate");
    assert!(output.contains(commands), "{output}");
    let public = ["serve", "--listen", "0.0.0.0:0", "--data", data, "--no-demo"];
    let error = error_output(zonewright(&public));
    assert!(error.contains("there are no credentials yet") && error.contains(commands), "{error}");
    for arguments in [&["account", "create", "Mine"][..], &["user", "create", "me@a.example"]] {
        assert!(run(&[&["admin", "--data", data], arguments].concat(), "").status.success());
    }
    let output = output_containing(service_command(folder.path(), &["--no-demo"]), "listening on ");
    assert!(!output.contains("no client can authenticate"), "{output}");
}

const UPSTREAM: &str = "https://api.example.com/client/v4";

#[test]
fn relay_warns_about_unused_options() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("z.toml");
    std::fs::write(&file, format!("relay-upstream = \"{UPSTREAM}\"\nmigration-delay = 5\nmax-connections = 50\n"))
        .unwrap();
    let file = file.to_str().unwrap();
    let mut command = zonewright(&["serve", "--listen", "127.0.0.1:0", "--no-demo", "--log", "warn", "--config", file]);
    command
        .env("ZONEWRIGHT_DATABASE", "postgres://me:hush@127.0.0.1:1/zw")
        .env("ZONEWRIGHT_LOGPUSH_ALLOW_HTTP", "true");
    let stderr_text = output_containing(command, "warning").replace(file, "FILE");
    let expected = "zonewright: warning: a relay stores no data and ignores --no-demo, FILE, line 2: \
                    migration-delay, ZONEWRIGHT_DATABASE in the environment, ZONEWRIGHT_LOGPUSH_ALLOW_HTTP in the \
                    environment\n";
    assert!(stderr_text.contains(expected), "{stderr_text}");
    assert!(!stderr_text.contains("hush"), "{stderr_text}");
}

#[test]
fn relay_options_combine_across_sources_and_require_an_upstream() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (token, passphrase) = (file("token", "hush-token\n"), file("passphrase", "hush, a long one\n"));
    let config = file("z.toml", &format!("relay-credentials-file = {token:?}\n"));
    let relay = |environment: &[(&str, &str)], options: &[&str]| {
        let mut command = zonewright(&["serve", "--listen", "127.0.0.1:0", "--data", "/dev/null/nowhere"]);
        command.args(options).envs(environment.iter().copied());
        command
    };
    let upstream = ("ZONEWRIGHT_RELAY_UPSTREAM", UPSTREAM);
    let relay_options = ["--relay-passphrase-file", &passphrase, "--config", &config];
    output_containing(relay(&[upstream], &relay_options), "relaying to");
    output_containing(relay(&[upstream], &["--relay-allow-http"]), "relaying to");
    for (environment, options, source) in [
        (&[][..], &["--relay-allow-http"][..], "--relay-allow-http"),
        (&[], &relay_options, "--relay-passphrase-file"),
        (
            &[("ZONEWRIGHT_RELAY_CREDENTIALS_FILE", &*token)],
            &[],
            "ZONEWRIGHT_RELAY_CREDENTIALS_FILE in the environment",
        ),
    ] {
        let stderr_text = error_output(relay(environment, options));
        let expected = format!("{source} requires --relay-upstream");
        assert!(stderr_text.contains(&expected), "{stderr_text}");
    }
    let passphrase = [("ZONEWRIGHT_RELAY_PASSPHRASE", "hush")];
    let data = folder.path().join("data");
    let mut command = service_command(&data, &["--no-demo"]);
    command.envs(passphrase);
    let output = output_containing(command, "ZONEWRIGHT_RELAY_PASSPHRASE in the environment requires --relay-upstream");
    assert!(!output.contains("hush"), "{output}");
    // An option that is turned off requires no upstream.
    output_containing(service_command(&data, &["--relay-allow-http=false", "--no-demo"]), "no client can authenticate");
}

#[test]
fn run_script_accepts_options_without_a_command_and_rejects_unknown_commands() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../run");
    let tools = TempDir::new().unwrap();
    let run_script = |arguments: &[&str]| {
        let mut command = Command::new("/bin/bash");
        // Without cargo, every command that builds fails at the lookup of cargo.
        command.arg(&script).args(arguments).env("PATH", "/usr/bin:/bin").env("ZONEWRIGHT_TOOLS", tools.path());
        stderr(&command.output().unwrap())
    };
    for arguments in [&["--data", "folder"][..], &["serve", "--data", "folder"], &[]] {
        assert!(run_script(arguments).contains("cargo is missing"), "{arguments:?}: {}", run_script(arguments));
    }
    assert!(run_script(&["sevre"]).contains("unknown command 'sevre'"));
}
