//! A store with an account and zones, for tests.

use crate::accounts::NewAccount;
use crate::config::StoreConfig;
use crate::data_directory::ensure_database_file;
use crate::secret::{new_id, new_key, new_token};
use crate::store::Store;
use crate::zones::{NewZone, ZoneSeed};
use tempfile::TempDir;

/// A store in a temporary directory, with an account and three zones.
pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) account_id: String,
    pub(crate) zones: Vec<String>,
    _folder: TempDir,
}

impl Fixture {
    pub(crate) async fn open() -> Fixture {
        let (folder, config) = (TempDir::new().unwrap(), StoreConfig::default());
        let store = Store::open(&ensure_database_file(folder.path(), &config).unwrap(), &config).await.unwrap();
        let (account_id, zones) = (new_id().unwrap(), [(); 3].map(|()| new_id().unwrap()));
        let (token_id, key, token) = (new_id().unwrap(), new_key().unwrap(), new_token().unwrap());
        let names = ["a.example", "b.example", "c.example"];
        let new_zone = |(id, name)| NewZone { id, name, tier: "enterprise", seed: ZoneSeed::default() };
        let account = NewAccount {
            id: &account_id,
            name: "Test",
            email: "me@example.com",
            key: &key,
            token_id: &token_id,
            token: &token,
            zones: zones.iter().map(String::as_str).zip(names).map(new_zone).collect(),
        };
        assert!(store.create_demo_account(&account).await.unwrap());
        Fixture { store, account_id, zones: zones.to_vec(), _folder: folder }
    }
}
