//! Log push jobs.

use crate::clock::now;
use crate::error::Error;
use crate::owner::Owner;
use crate::principal::Actor;
use crate::rows::{to_json, to_u64};
use crate::scope::Scope;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use sqlx::{AnyConnection, FromRow};
use zonewright_api::logpush::{Job, JobSettings};
use zonewright_api::{ErrorObject, error_code};
use zonewright_logpush::redact;

/// The maximum number of jobs of one owner (documented for zones; assumption job-limit).
const MAX_JOBS: u64 = 4;

/// A pending update of a job. It holds the lock of the job's owner, so the job cannot change until the update is saved
/// or dropped. Dropping it changes nothing.
pub struct JobUpdate {
    unit: UnitOfWork,
    job: Job,
}

impl JobUpdate {
    /// Returns the current job.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Replaces the settings of the job and commits.
    pub async fn save(self, settings: JobSettings) -> Result<Job, Error> {
        let JobUpdate { mut unit, job } = self;
        sqlx::query("update logpush_jobs set settings = $1, enabled = $2, revision = revision + 1 where id = $3")
            .bind(to_json(&settings)?)
            .bind(i64::from(settings.enabled))
            .bind(to_i64(job.id))
            .execute(unit.connection())
            .await?;
        bump_job_revision(unit.connection()).await?;
        let updated = Job { settings, ..job.clone() };
        record(&mut unit, "logpush_job.update", Some(&job), Some(&updated));
        unit.commit().await?;
        Ok(updated)
    }

    /// Rolls the update back.
    pub async fn discard(self) -> Result<(), Error> {
        self.unit.rollback().await
    }
}

/// A row of the table `logpush_jobs`.
#[derive(FromRow)]
struct JobRow {
    id: i64,
    settings: String,
    last_complete: Option<String>,
    last_error: Option<String>,
    error_message: Option<String>,
    time_created: Option<String>,
    zone_id: Option<String>,
    account_id: Option<String>,
}

impl JobRow {
    fn owner(&self) -> Result<Owner, Error> {
        match (&self.zone_id, &self.account_id) {
            (Some(zone), _) => Ok(Owner::Zone(zone.clone())),
            (None, Some(account)) => Ok(Owner::Account(account.clone())),
            (None, None) => Err(sqlx::Error::Decode("a job has no owner".into()).into()),
        }
    }
}

impl TryFrom<JobRow> for Job {
    type Error = Error;

    fn try_from(row: JobRow) -> Result<Job, Error> {
        // The error of the parser is left out because it could contain the destination.
        let settings = serde_json::from_str(&row.settings);
        Ok(Job {
            id: to_u64(row.id),
            settings: settings.map_err(|_| sqlx::Error::Decode("the settings of a job cannot be read".into()))?,
            last_complete: row.last_complete,
            last_error: row.last_error,
            error_message: row.error_message,
            time_created: row.time_created,
        })
    }
}

/// Selects rows as [`JobRow`]. Conditions on the owner use `$1` and `$2`.
macro_rules! select_jobs {
    ($rest:expr) => {
        concat!(
            "select id, settings, last_complete, last_error, error_message, time_created, zone_id, account_id
             from logpush_jobs where ",
            $rest
        )
    };
}

impl Store {
    /// Creates a job, unless its owner has the maximum number of jobs.
    pub async fn create_job(&self, actor: &Actor, owner: &Owner, settings: JobSettings) -> Result<Job, Error> {
        let mut unit = self.write(owner.into(), actor).await?;
        let connection = unit.connection();
        if count_jobs(connection, owner).await? >= MAX_JOBS {
            let message = "creating a new job is not allowed: exceeded max jobs allowed";
            return Err(Error::Refused(vec![ErrorObject::new(error_code::JOB_NOT_ALLOWED, message)]));
        }
        let (id, time) = (next_job_id(connection).await?, now());
        let (zone, account) = owner.columns();
        sqlx::query(
            "insert into logpush_jobs (id, zone_id, account_id, revision, enabled, settings, time_created)
             values ($1, $2, $3, 0, $4, $5, $6)",
        )
        .bind(id)
        .bind(zone)
        .bind(account)
        .bind(i64::from(settings.enabled))
        .bind(to_json(&settings)?)
        .bind(time.clone())
        .execute(&mut *connection)
        .await?;
        bump_job_revision(connection).await?;
        let (id, time_created) = (to_u64(id), Some(time));
        let job = Job { id, settings, last_complete: None, last_error: None, error_message: None, time_created };
        record(&mut unit, "logpush_job.create", None, Some(&job));
        unit.commit().await?;
        Ok(job)
    }

    /// Returns all jobs of an owner in the order of creation.
    pub async fn jobs(&self, owner: &Owner) -> Result<Vec<Job>, Error> {
        let (zone, account) = owner.columns();
        let statement = select_jobs!("(zone_id = $1 or account_id = $2) order by id");
        let rows = sqlx::query_as::<_, JobRow>(statement).bind(zone).bind(account).fetch_all(&self.pool).await?;
        rows.into_iter().map(Job::try_from).collect()
    }

    /// Returns one job of the owner.
    pub async fn job(&self, owner: &Owner, id: u64) -> Result<Option<Job>, Error> {
        find(&mut *self.pool.acquire().await?, owner, id).await
    }

    /// Begins an update of a job. Waits until no other transaction changes the owner's jobs. Returns `None` if the
    /// owner has no such job.
    pub async fn update_job(&self, actor: &Actor, owner: &Owner, id: u64) -> Result<Option<JobUpdate>, Error> {
        let mut unit = self.write(owner.into(), actor).await?;
        let Some(job) = find(unit.connection(), owner, id).await? else {
            unit.rollback().await?;
            return Ok(None);
        };
        Ok(Some(JobUpdate { unit, job }))
    }

    /// Deletes a job. Returns false if the owner has no such job.
    pub async fn delete_job(&self, actor: &Actor, owner: &Owner, id: u64) -> Result<bool, Error> {
        let mut unit = self.write(owner.into(), actor).await?;
        let Some(job) = find(unit.connection(), owner, id).await? else {
            unit.rollback().await?;
            return Ok(false);
        };
        sqlx::query("delete from logpush_jobs where id = $1").bind(to_i64(id)).execute(unit.connection()).await?;
        bump_job_revision(unit.connection()).await?;
        record(&mut unit, "logpush_job.delete", Some(&job), None);
        unit.commit().await?;
        Ok(true)
    }

    /// Returns every enabled job with its owner, in the order of creation.
    pub async fn enabled_jobs(&self) -> Result<Vec<(Owner, Job)>, Error> {
        let query = sqlx::query_as::<_, JobRow>(select_jobs!("enabled = 1 order by id"));
        let rows = query.fetch_all(&self.pool).await?;
        rows.into_iter().map(|row| Ok((row.owner()?, row.try_into()?))).collect()
    }

    /// Returns the number of changes of jobs by all processes. Only a difference from an earlier value has a meaning.
    pub async fn job_revision(&self) -> Result<i64, Error> {
        let query = sqlx::query_scalar("select last from counters where name = 'logpush_changes'");
        Ok(query.fetch_one(&self.pool).await?)
    }

    /// Records that a job delivered everything up to `until` (RFC 3339), and clears its error. If several processes
    /// deliver, the latest time is retained. Does nothing if the job was deleted.
    pub async fn record_job_delivered(&self, id: u64, until: &str) -> Result<(), Error> {
        let mut unit = self.write(Scope::Unlocked, &Actor::service()).await?;
        sqlx::query(
            "update logpush_jobs set last_error = null, error_message = null,
             last_complete = case when last_complete > $1 then last_complete else $1 end where id = $2",
        )
        .bind(until.to_owned())
        .bind(to_i64(id))
        .execute(unit.connection())
        .await?;
        unit.commit().await
    }

    /// Records that a job could not deliver at this time (RFC 3339). The owner sees the message, so it must not contain
    /// secrets. Does nothing if the job was deleted.
    pub async fn record_job_failed(&self, id: u64, at: &str, message: &str) -> Result<(), Error> {
        let mut unit = self.write(Scope::Unlocked, &Actor::service()).await?;
        sqlx::query("update logpush_jobs set last_error = $1, error_message = $2 where id = $3")
            .bind(at.to_owned())
            .bind(message.to_owned())
            .bind(to_i64(id))
            .execute(unit.connection())
            .await?;
        unit.commit().await
    }

    /// Disables a job that could not deliver for too long, and records the error like [`Store::record_job_failed`].
    /// Does nothing if the job was deleted or is disabled.
    pub async fn disable_job(&self, id: u64, at: &str, message: &str) -> Result<(), Error> {
        let query = sqlx::query_as::<_, JobRow>(select_jobs!("id = $1")).bind(to_i64(id));
        let Some(row) = query.fetch_optional(&self.pool).await? else { return Ok(()) };
        let mut unit = match self.write((&row.owner()?).into(), &Actor::service()).await {
            Err(Error::ScopeGone) => return Ok(()),
            begun => begun?,
        };
        let query = sqlx::query_as::<_, JobRow>(select_jobs!("id = $1 and enabled = 1")).bind(to_i64(id));
        let Some(row) = query.fetch_optional(unit.connection()).await? else { return unit.rollback().await };
        let before = Job::try_from(row)?;
        let settings = JobSettings { enabled: false, ..before.settings.clone() };
        sqlx::query(
            "update logpush_jobs set settings = $1, enabled = 0, revision = revision + 1, last_error = $2,
             error_message = $3 where id = $4",
        )
        .bind(to_json(&settings)?)
        .bind(at.to_owned())
        .bind(message.to_owned())
        .bind(to_i64(id))
        .execute(unit.connection())
        .await?;
        bump_job_revision(unit.connection()).await?;
        let (last_error, error_message) = (Some(at.to_owned()), Some(message.to_owned()));
        let after = Job { settings, last_error, error_message, ..before.clone() };
        record(&mut unit, "logpush_job.disable", Some(&before), Some(&after));
        unit.commit().await
    }
}

/// Records a change of a job in the audit log, without the secrets of its destination.
fn record(unit: &mut UnitOfWork, action: &'static str, before: Option<&Job>, after: Option<&Job>) {
    let id = before.or(after).map(|job| job.id.to_string()).unwrap_or_default();
    let [before, after] = [before, after].map(|job| job.map(redact_job));
    unit.record(action, &id, before.as_ref(), after.as_ref());
}

/// Returns a job as the audit log contains it (assumption audit-log-entries).
fn redact_job(job: &Job) -> Job {
    let destination_conf = redact(&job.settings.destination_conf);
    Job { settings: JobSettings { destination_conf, ..job.settings.clone() }, ..job.clone() }
}

/// Increments the counter by which other processes notice that jobs changed.
pub(crate) async fn bump_job_revision(connection: &mut AnyConnection) -> Result<(), Error> {
    let statement = "update counters set last = last + 1 where name = 'logpush_changes'";
    sqlx::query(statement).execute(connection).await?;
    Ok(())
}

/// Returns one job of the owner.
async fn find(connection: &mut AnyConnection, owner: &Owner, id: u64) -> Result<Option<Job>, Error> {
    let (zone, account) = owner.columns();
    let query = sqlx::query_as::<_, JobRow>(select_jobs!("(zone_id = $1 or account_id = $2) and id = $3"));
    let row = query.bind(zone).bind(account).bind(to_i64(id)).fetch_optional(connection).await?;
    row.map(Job::try_from).transpose()
}

async fn count_jobs(connection: &mut AnyConnection, owner: &Owner) -> Result<u64, Error> {
    let (zone, account) = owner.columns();
    let jobs = sqlx::query_scalar("select count(*) from logpush_jobs where zone_id = $1 or account_id = $2")
        .bind(zone)
        .bind(account)
        .fetch_one(connection)
        .await?;
    Ok(to_u64(jobs))
}

async fn next_job_id(connection: &mut AnyConnection) -> Result<i64, Error> {
    let statement = "update counters set last = last + 1 where name = 'logpush_jobs' returning last";
    Ok(sqlx::query_scalar(statement).fetch_one(connection).await?)
}

/// Converts an ID for the database. An ID that is too large becomes -1, which no job has.
fn to_i64(id: u64) -> i64 {
    i64::try_from(id).unwrap_or(-1)
}
