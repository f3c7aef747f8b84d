//! A release build embeds the built web app, so it is stale when the app was built anew.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A debug build reads the app from disk when it runs, from the folder's place as it was found now:
    // the folder has to exist, even if the app is built later.
    if let Err(error) = std::fs::create_dir_all("../../dist") {
        println!("cargo:warning=the folder dist cannot be made: {error}");
    }
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed=../../dist");
    }
}
