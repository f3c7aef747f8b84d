use super::*;
use crate::access::Grants;
use crate::store::{Found, Token};
use zonewright_api::zone::{Account, Plan, Zone};
use zonewright_expression::schema::Tier;

fn memory() -> Memory {
    Memory::new(Dialect::Postgres).unwrap().unwrap()
}

fn question(zone: &str) -> Question {
    Question { digest: "digest".to_owned(), zone: zone.to_owned() }
}

fn known(expires_on: Option<&str>) -> Known {
    let account = || Account { id: "a".to_owned(), name: "Mine".to_owned() };
    let (id, account_id, expires_on) = ("t".to_owned(), account().id, expires_on.map(str::to_owned));
    let zone = Zone {
        id: "z".to_owned(),
        name: "a.example".to_owned(),
        status: "active".to_owned(),
        paused: false,
        account: account(),
        plan: Plan { name: Tier::Pro.title().to_owned(), legacy_id: Tier::Pro.name().to_owned() },
    };
    let found = Found { zone: Arc::new(zone), tier: Tier::Pro, changes: 7 };
    Known { token: Arc::new(Token { id, account_id, expires_on, grants: Grants::All }), zone: Some(found) }
}

/// One with a lease, which remembers something of the zone `z`.
fn warm() -> Memory {
    let memory = memory();
    memory.given(Lease::begin(), true);
    memory.keep(0, &question("z"), known(None));
    assert!(memory.get(&question("z")).0.is_some());
    memory
}

fn remembers(memory: &Memory) -> bool {
    memory.get(&question("z")).0.is_some()
}

/// A lease with so much time left.
fn left(time: Duration) -> Lease {
    Lease { until: Instant::now() + time, until_of_the_day: SystemTime::now() + time }
}

#[test]
fn it_is_for_databases_that_are_shared() {
    assert!(Memory::new(Dialect::Sqlite).unwrap().is_none());
}

#[test]
fn what_is_asked_for_often_is_worth_it_and_one_task_is_at_it() {
    let memory = memory();
    for _ in 1..OFTEN {
        assert_eq!(memory.asked(&question("z")), Errand::Nothing);
    }
    assert_eq!(memory.asked(&question("other")), Errand::Nothing);
    assert_eq!(memory.asked(&question("z")), Errand::Remember);
    assert_eq!(memory.asked(&question("z")), Errand::Nothing);
    drop(Busy(memory.clone()));
    assert_eq!(memory.asked(&question("z")), Errand::Remember);
    drop(Busy(memory.clone()));
    memory.forget(&Scope::Zone("other".to_owned()));
    assert_eq!(memory.asked(&question("z")), Errand::Remember);
    drop(Busy(memory.clone()));
    memory.forget(&Scope::Zone("z".to_owned()));
    assert_eq!(memory.asked(&question("z")), Errand::Nothing, "it was changed since");
}

#[test]
fn what_could_not_be_remembered_is_not_tried_again_at_once() {
    let memory = memory();
    memory.state().rest = Some(Instant::now() + PAUSE);
    for _ in 0..2 * OFTEN {
        assert_eq!(memory.asked(&question("z")), Errand::Nothing);
    }
    memory.given(Lease::begin(), true);
    memory.keep(0, &question("other"), known(None));
    assert_eq!(memory.asked(&question("z")), Errand::Remember);
}

#[test]
fn nothing_is_kept_beyond_the_lease_or_a_change() {
    assert!(remembers(&warm()));
    let lost = warm();
    lost.state().lease = Some(left(Duration::ZERO));
    assert!(!remembers(&lost));
    // A clock that was stopped, and one that was set.
    for (until, of_the_day) in [(TERM, Duration::ZERO), (Duration::ZERO, TERM)] {
        let lost = warm();
        let until_of_the_day = SystemTime::now() + of_the_day;
        lost.state().lease = Some(Lease { until: Instant::now() + until, until_of_the_day });
        assert!(!remembers(&lost));
    }
    let changed = warm();
    changed.forget(&Scope::Zone("other".to_owned()));
    assert!(remembers(&changed));
    for scope in [Scope::Zone("z".to_owned()), Scope::Account("a".to_owned()), Scope::Service] {
        let changed = warm();
        changed.forget(&scope);
        assert!(!remembers(&changed), "{scope:?}");
    }
    changed.forget(&Scope::Service);
    // What was read before the change comes too late, and what was read without a lease.
    changed.keep(1, &question("z"), known(None));
    assert!(!remembers(&changed));
    changed.keep(2, &question("z"), known(None));
    assert!(remembers(&changed));
    let without = memory();
    without.keep(0, &question("z"), known(None));
    without.given(Lease::begin(), true);
    assert!(!remembers(&without));
}

#[test]
fn only_a_lease_that_goes_on_keeps_what_is_remembered() {
    for (left_over, is_given, stays) in [(TERM, true, true), (TERM, false, false), (Duration::ZERO, true, false)] {
        let memory = warm();
        memory.state().lease = Some(left(left_over));
        memory.given(Lease::begin(), is_given);
        assert_eq!(remembers(&memory), stays, "{left_over:?} {is_given}");
    }
    let closed = warm();
    closed.state().is_closed = true;
    closed.given(Lease::begin(), true);
    assert!(!remembers(&closed), "a lease that comes too late");
}

#[test]
fn a_lease_is_renewed_once_when_half_of_it_is_over() {
    let memory = warm();
    assert_eq!(memory.get(&question("z")).1, Errand::Nothing);
    memory.state().lease = Some(left(TERM / 3));
    assert_eq!(memory.get(&question("other")).1, Errand::Nothing, "it was of no use");
    assert_eq!(memory.get(&question("z")).1, Errand::Renew);
    assert_eq!(memory.get(&question("z")).1, Errand::Nothing);
}

#[test]
fn nothing_is_remembered_for_long() {
    let memory = warm();
    for (_, since) in memory.state().known.values_mut() {
        *since = since.checked_sub(AGE).unwrap();
    }
    assert!(!remembers(&memory));
}

#[test]
fn a_token_ends_in_memory_too() {
    let memory = warm();
    for (expires_on, is_known) in [(Some("2020-01-01T00:00:00Z"), false), (Some("2999-01-01T00:00:00Z"), true)] {
        memory.keep(0, &question("z"), known(expires_on));
        assert_eq!(remembers(&memory), is_known);
    }
}

#[test]
fn there_is_a_bound() {
    let memory = warm();
    for number in 0..MOST * 3 / 2 {
        memory.keep(0, &question(&number.to_string()), known(None));
        memory.asked(&question(&number.to_string()));
    }
    let state = memory.state();
    assert!(state.known.len() <= MOST && state.asked.len() <= MOST && state.known.len() > 1);
}
