//! The engine, which runs in Web Workers (`web/engine.js`): calls of its verbs, and signals that follow their results.
//!
//! The verbs and their results are those of the npm package. [`answers`] has the results that several pages read. All
//! offsets are UTF-16, and [`answers`] converts them to bytes.
//!
//! A call on a [`Channel`] supersedes the earlier calls on it, so late results of earlier inputs are dropped. A worker
//! that exceeds its time limit or crashes is replaced; the call fails, and the app shows a toast.

pub(crate) mod answers;

use js_sys::{Array, Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The event of a replaced worker, whose `detail` is the reason.
const RESTARTED_EVENT: &str = "zonewright-engine-restarted";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = zonewrightEngine, js_name = call, catch)]
    fn call_verb(worker: &str, channel: &str, verb: &str, values: Array) -> Result<Promise, JsValue>;
}

/// The worker that runs a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worker {
    /// Runs short calls: analysis, completion, help, formatting, fixes, and checks.
    Editor,
    /// Runs calls that may take seconds, such as evaluations and proofs.
    Tools,
}

impl Worker {
    fn name(self) -> &'static str {
        match self {
            Worker::Editor => "editor",
            Worker::Tools => "tools",
        }
    }
}

/// The reason why a call has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EngineError {
    /// A newer call on the same channel replaced this one.
    Superseded,
    /// The engine did not load, exceeded its time limit, crashed, or returned an unexpected result. The message is a
    /// sentence without a period.
    Failed(String),
}

impl EngineError {
    /// Returns the reason, a sentence without a period.
    pub(crate) fn reason(&self) -> &str {
        match self {
            EngineError::Superseded => "a newer request replaced it",
            EngineError::Failed(reason) => reason,
        }
    }

    fn from_js(error: &JsValue) -> Self {
        let member = |name: &str| Reflect::get(error, &name.into()).ok().and_then(|value| value.as_string());
        if member("name").as_deref() == Some("SupersededError") {
            return EngineError::Superseded;
        }
        // Without `zonewrightEngine`, the error is that of JavaScript for a missing variable.
        let is_loaded = Reflect::has(&window(), &"zonewrightEngine".into()).unwrap_or_default();
        let message =
            if is_loaded { member("message") } else { Some("the engine's script cannot be loaded".to_owned()) };
        EngineError::Failed(message.unwrap_or_else(|| "unknown error".to_owned()))
    }
}

/// A sequence of calls of which only the latest one matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channel {
    worker: Worker,
    number: u32,
}

impl Channel {
    /// Creates a channel that nothing else uses.
    pub(crate) fn new(worker: Worker) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Channel { worker, number: COUNT.fetch_add(1, Ordering::Relaxed) }
    }

    /// Calls a verb such as `check` or `logpush.check`, and returns its result as a JavaScript value.
    pub(crate) async fn call_js(self, verb: &str, values: Vec<JsValue>) -> Result<JsValue, EngineError> {
        let channel = self.number.to_string();
        let values = values.into_iter().collect();
        let to_error = |error| EngineError::from_js(&error);
        let promise = call_verb(self.worker.name(), &channel, verb, values).map_err(to_error)?;
        JsFuture::from(promise).await.map_err(to_error)
    }

    /// Calls a verb, and converts its result.
    pub(crate) async fn call<T: DeserializeOwned>(self, verb: &str, values: Vec<JsValue>) -> Result<T, EngineError> {
        let result = self.call_js(verb, values).await?;
        from_js(result)
    }
}

/// Converts a result of a verb.
pub(crate) fn from_js<T: DeserializeOwned>(result: JsValue) -> Result<T, EngineError> {
    serde_wasm_bindgen::from_value(result).map_err(|error| EngineError::Failed(format!("unexpected result: {error}")))
}

/// Converts a value, such as the options of a verb, to a plain JavaScript object.
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    // The arguments of verbs always serialize.
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or(JsValue::UNDEFINED)
}

/// The result of the engine for the latest input.
#[derive(Debug)]
pub(crate) enum Answer<T> {
    /// There is no input, or its first result has not arrived.
    Pending,
    /// The latest result. Its input may be older than the current one.
    Ready(Arc<T>),
    /// The engine failed, for this reason.
    Failed(String),
}

impl<T> Clone for Answer<T> {
    fn clone(&self) -> Self {
        match self {
            Answer::Pending => Answer::Pending,
            Answer::Ready(result) => Answer::Ready(Arc::clone(result)),
            Answer::Failed(reason) => Answer::Failed(reason.clone()),
        }
    }
}

impl<T> Answer<T> {
    /// Returns the result, if there is one.
    pub(crate) fn ready(&self) -> Option<&Arc<T>> {
        match self {
            Answer::Ready(result) => Some(result),
            Answer::Pending | Answer::Failed(_) => None,
        }
    }
}

/// Returns a signal with the result for the latest input. While the engine works, it keeps the earlier result. Without an
/// input, there is no result. The signal stops when its reactive owner is disposed.
pub(crate) fn follow<I, T, F>(
    worker: Worker,
    input: impl Fn() -> Option<I> + 'static,
    call: impl Fn(Channel, I) -> F + 'static,
) -> Signal<Answer<T>>
where
    T: Send + Sync + 'static,
    F: Future<Output = Result<T, EngineError>> + 'static,
{
    let engine = EngineContext::get();
    let channel = Channel::new(worker);
    let answer = RwSignal::new(Answer::Pending);
    // An input of `None` makes no call that could supersede the previous one, so the number drops its late result.
    let latest = StoredValue::new(0_u32);
    Effect::new(move || {
        engine.attempt.track();
        let Some(number) = latest.try_update_value(|latest| {
            *latest = latest.wrapping_add(1);
            *latest
        }) else {
            return;
        };
        let Some(input) = input() else {
            answer.set(Answer::Pending);
            return;
        };
        // A failure belongs to its input.
        answer.try_maybe_update(|answer| {
            let has_failed = matches!(answer, Answer::Failed(_));
            if has_failed {
                *answer = Answer::Pending;
            }
            (has_failed, ())
        });
        let result = call(channel, input);
        spawn_local(async move {
            let result = result.await;
            if latest.try_get_value() != Some(number) {
                return;
            }
            let result = match result {
                Ok(result) => Answer::Ready(Arc::new(result)),
                // Only a late call of an earlier input can supersede the latest one. Then the user can retry.
                Err(error) => Answer::Failed(error.reason().to_owned()),
            };
            answer.try_set(result);
        });
    });
    answer.into()
}

/// The state of the engine that all pages share.
#[derive(Clone, Copy)]
pub(crate) struct EngineContext {
    /// Changes when the user asks to try failed calls again.
    attempt: RwSignal<u32>,
}

impl EngineContext {
    /// Provides the context. Calls `on_restart` with the reason whenever a worker was replaced.
    pub(crate) fn provide(on_restart: impl Fn(String) + 'static) -> Self {
        let engine = EngineContext { attempt: RwSignal::new(0) };
        provide_context(engine);
        let report = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            let detail = Reflect::get(&event, &"detail".into()).ok().and_then(|detail| detail.as_string());
            on_restart(detail.unwrap_or_default());
        });
        drop(window().add_event_listener_with_callback(RESTARTED_EVENT, report.as_ref().unchecked_ref()));
        // The app never ends, so the listener is never removed.
        report.forget();
        engine
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Reads the number of attempts, so that the caller runs again when the user asks to retry.
    pub(crate) fn track_attempts(self) {
        self.attempt.track();
    }

    /// Repeats the calls of all signals that follow an input.
    pub(crate) fn retry(self) {
        self.attempt.update(|attempt| *attempt = attempt.wrapping_add(1));
    }
}
