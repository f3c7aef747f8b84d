//! Makes Cargo rebuild a release build when the web app has changed, because a release build embeds the app.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A debug build reads the app from disk at run time, from a path that is resolved at compile time. The directory
    // has to exist then, even if the app is built later.
    if let Err(error) = std::fs::create_dir_all("../../dist") {
        println!("cargo:warning=cannot create the directory dist: {error}");
    }
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed=../../dist");
    }
}
