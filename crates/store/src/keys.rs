//! What the service signs with.

use crate::error::Error;
use crate::principal::Actor;
use crate::scope::Scope;
use crate::secret::new_signing_key;
use crate::store::Store;
use sqlx::Row;

impl Store {
    /// The key that ownership challenges are signed with; it is made when it is first asked for and stays
    /// as long as the data folder.
    pub async fn challenge_key(&self) -> Result<String, Error> {
        const FIND: &str = "select key from signing_keys where name = 'challenge'";
        if let Some(row) = sqlx::query(FIND).fetch_optional(&self.pool).await? {
            return Ok(row.try_get(0)?);
        }
        let mut unit = self.write(Scope::Unlocked, &Actor::service()).await?;
        // Of two who found none, the second finds that of the first.
        sqlx::query("insert into signing_keys (name, key) values ('challenge', $1) on conflict (name) do nothing")
            .bind(new_signing_key()?)
            .execute(&mut *unit)
            .await?;
        let key = sqlx::query(FIND).fetch_one(&mut *unit).await?.try_get(0)?;
        unit.commit().await?;
        Ok(key)
    }
}
