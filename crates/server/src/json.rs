//! JSON without repeated members: of two with the same name it is not clear which one counts.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Reads a text; the second part is the JSON pointer to the first repeated member.
pub(crate) fn read(text: &str) -> serde_json::Result<(Value, Option<String>)> {
    let mut place = Place::default();
    let mut json = serde_json::Deserializer::from_str(text);
    let value = place.deserialize(&mut json)?;
    json.end()?;
    Ok((value, place.repeated))
}

/// Where the reader is.
#[derive(Default)]
struct Place {
    /// JSON pointer.
    pointer: String,
    /// The first repeated member; one is enough to refuse the text.
    repeated: Option<String>,
}

impl Place {
    /// Goes into a member or an item.
    fn enter(&mut self, name: &str) {
        self.pointer.push('/');
        self.pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
    }
}

impl<'de> DeserializeSeed<'de> for &mut Place {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Place {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        let outside = self.pointer.len();
        loop {
            self.enter(&values.len().to_string());
            let value = items.next_element_seed(&mut *self)?;
            self.pointer.truncate(outside);
            match value {
                Some(value) => values.push(value),
                None => return Ok(values.into()),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        let outside = self.pointer.len();
        while let Some(name) = members.next_key::<String>()? {
            self.enter(&name);
            if self.repeated.is_none() && values.contains_key(&name) {
                self.repeated = Some(self.pointer.clone());
            }
            let value = members.next_value_seed(&mut *self)?;
            self.pointer.truncate(outside);
            values.insert(name, value);
        }
        Ok(values.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_repetition_it_reads_what_serde_json_reads() {
        for text in [
            r#" {"a": [1, -1, 1.5, "x\n", "y", null, true, {"a": {}}], "b": []} "#,
            "[[], [0]]",
            "3",
            "\"\"",
            "[1",
            "1 2",
        ] {
            let read = read(text).map_err(|error| error.to_string());
            let expected = serde_json::from_str(text).map(|value: Value| (value, None));
            assert_eq!(read, expected.map_err(|error| error.to_string()), "{text}");
        }
    }

    #[test]
    fn the_first_repeated_member_has_its_place() {
        let cases = [
            (r#"{"a": 1, "a": 1}"#, "/a"),
            (r#"[{"a": 1}, {"a": [0, {"b/~": 1, "c": [1], "\u0062/~": 2}], "a": 1}]"#, "/1/a/1/b~1~0"),
            (r#"{"": 1, "": 2}"#, "/"),
        ];
        for (text, pointer) in cases {
            assert_eq!(read(text).unwrap().1.as_deref(), Some(pointer), "{text}");
        }
    }
}
