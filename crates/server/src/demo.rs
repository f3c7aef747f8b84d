//! The demo account: made at the first start on a data folder, so that the service can be tried at
//! once.

mod stories;

use crate::app::private;
use crate::secret::{new_id, new_key, new_token};
use crate::serve::ServeError;
use crate::store::{NewAccount, NewZone, Store};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;
use stories::{STORIES, Story};

/// Name of the file with the credentials, in the data folder.
pub(crate) const FILE: &str = "demo-credentials.json";

/// The e-mail address of the demo account.
pub(crate) const EMAIL: &str = "demo@zonewright.example";

/// The demo account with its secrets in clear, as the file has them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Demo {
    /// Address of the interface: `http://127.0.0.1:8787/client/v4`.
    pub base_url: String,
    /// For `X-Auth-Email`.
    pub email: String,
    /// For `X-Auth-Key`.
    pub key: String,
    /// For `Authorization: Bearer`.
    pub token: String,
    /// Identifier of the account.
    pub account_id: String,
    /// Identifier of the Enterprise zone with everything.
    pub zone_id: String,
    /// All zones, that one first.
    pub zones: Vec<DemoZone>,
}

/// A zone of the demo account.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DemoZone {
    /// Identifier.
    pub id: String,
    /// Domain name.
    pub name: String,
    /// `free`, `pro`, `business` or `enterprise`.
    pub plan: String,
    /// What the zone is good for, for people.
    pub story: String,
}

/// Makes the demo account when the store is new and gives it back; otherwise writes the present
/// address into the file of the first start.
pub(crate) async fn prepare(store: &Store, data: &Path, base_url: &str) -> Result<Option<Demo>, ServeError> {
    let unusable = |error| ServeError::Data(data.join(FILE), error);
    if !store.is_new().await? {
        // Only one of several data folders that share a database has it.
        if let Err(error) = update(data, base_url)
            && !(store.is_shared() && error.kind() == std::io::ErrorKind::NotFound)
        {
            tracing::warn!("{} is not up to date: {error}; its secrets are still good", data.join(FILE).display());
        }
        return Ok(None);
    }
    let demo = invent(base_url).map_err(ServeError::Random)?;
    // The file comes first: a crash in between leaves a store that is still new.
    write(data, &demo).map_err(unusable)?;
    let token_id = new_id().map_err(ServeError::Random)?;
    let is_first = store
        .create_account(&NewAccount {
            id: &demo.account_id,
            name: "Demo",
            email: &demo.email,
            key: &demo.key,
            token_id: &token_id,
            token: &demo.token,
            zones: demo.zones.iter().zip(&STORIES).map(|(zone, story)| new_zone(zone, story)).collect(),
        })
        .await
        .map_err(|error| ServeError::Demo(format!("{error:?}")))?;
    if !is_first {
        // Another process on the same database was faster.
        std::fs::remove_file(data.join(FILE)).map_err(unusable)?;
        return Ok(None);
    }
    Ok(Some(demo))
}

fn new_zone<'a>(zone: &'a DemoZone, story: &Story) -> NewZone<'a> {
    NewZone { id: &zone.id, name: &zone.name, tier: &zone.plan, start: (story.start)() }
}

fn invent(base_url: &str) -> Result<Demo, getrandom::Error> {
    let zone = |story: &Story| {
        let (name, plan, story) = (story.name.to_owned(), story.tier.name().to_owned(), story.story.to_owned());
        Ok(DemoZone { id: new_id()?, name, plan, story })
    };
    let zones = STORIES.iter().map(zone).collect::<Result<Vec<_>, _>>()?;
    Ok(Demo {
        base_url: base_url.to_owned(),
        email: EMAIL.to_owned(),
        key: new_key()?,
        token: new_token()?,
        account_id: new_id()?,
        zone_id: zones.first().map(|zone| zone.id.clone()).unwrap_or_default(),
        zones,
    })
}

fn update(data: &Path, base_url: &str) -> std::io::Result<()> {
    let text = std::fs::read_to_string(data.join(FILE))?;
    let demo: Demo = serde_json::from_str(&text)?;
    if demo.base_url == base_url {
        return Ok(());
    }
    write(data, &Demo { base_url: base_url.to_owned(), ..demo })
}

/// Writes the file whole or not at all, for this user alone.
fn write(data: &Path, demo: &Demo) -> std::io::Result<()> {
    let new = data.join(format!("{FILE}.new"));
    // A file that a crash left could be readable by others.
    if let Err(error) = std::fs::remove_file(&new)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut file = private().create_new(true).open(&new)?;
    serde_json::to_writer_pretty(&mut file, demo)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    std::fs::rename(&new, data.join(FILE))
}
