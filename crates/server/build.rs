//! Rebuilds a release build when the web app was rebuilt, because the build embeds it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A debug build reads the app from disk at run time, from the path that is resolved now. The directory has to
    // exist, even if the app is built later.
    if let Err(error) = std::fs::create_dir_all("../../dist") {
        println!("cargo:warning=cannot create the directory dist: {error}");
    }
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed=../../dist");
    }
}
