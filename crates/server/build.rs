//! A release build embeds the built web app, so it is stale when the app was built anew.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A debug build reads the app from disk when it runs; it need not be built again.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed=../../dist");
    }
}
