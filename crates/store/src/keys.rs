//! The signing keys of the service.

use crate::error::Error;
use crate::principal::Actor;
use crate::scope::Scope;
use crate::secret::new_signing_key;
use crate::store::Store;

impl Store {
    /// Returns the key that signs ownership challenges: 64 hexadecimal digits. The first call for a database creates
    /// it; all processes and all later calls use the same key.
    pub async fn challenge_key(&self) -> Result<String, Error> {
        const SELECT_CHALLENGE_KEY: &str = "select key from signing_keys where name = 'challenge'";
        if let Some(key) = sqlx::query_scalar(SELECT_CHALLENGE_KEY).fetch_optional(&self.pool).await? {
            return Ok(key);
        }
        let mut unit = self.write(Scope::Unlocked, &Actor::service()).await?;
        // Another request or process may have created the key since the first query. The insert waits until that
        // transaction ends. If it committed, this insert does nothing, and the next query returns the other key.
        sqlx::query("insert into signing_keys (name, key) values ('challenge', $1) on conflict (name) do nothing")
            .bind(new_signing_key()?)
            .execute(unit.connection())
            .await?;
        let key = sqlx::query_scalar(SELECT_CHALLENGE_KEY).fetch_one(unit.connection()).await?;
        unit.commit().await?;
        Ok(key)
    }
}
