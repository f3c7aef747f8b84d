//! Contexts that are created on first use, because their code belongs to a part (`crate::part`).

use leptos::prelude::*;

/// The owner of the contexts.
#[derive(Clone)]
struct AppOwner(Owner);

/// Makes the current owner, which is that of the app, the owner of the contexts.
pub(crate) fn provide_app_owner() {
    if let Some(owner) = Owner::current() {
        provide_context(AppOwner(owner));
    }
}

/// Returns a context of the app. Calls `provide` to create it on first use. It then outlives the current page.
pub(crate) fn get_or_provide<T: Clone + Send + Sync + 'static>(provide: impl FnOnce() -> T) -> T {
    use_context().unwrap_or_else(|| {
        let AppOwner(owner) = expect_context();
        owner.with(|| untrack(provide))
    })
}
