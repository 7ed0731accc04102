//! The editor's settings.

use std::time::Duration;

use serde_json::Value;

/// The settings, from `initializationOptions` and `workspace/didChangeConfiguration`.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// True if the user trusts the workspace. Until then nothing is run: no preprocessor and no verification.
    pub(crate) trusted: bool,
    /// True if a saved file is verified.
    pub(crate) verify_on_save: bool,
    /// The greatest time of a verification.
    pub(crate) timeout: Duration,
    /// True if claims that hold are shown.
    pub(crate) show_safe: bool,
    /// A bound on the rounds of loops.
    pub(crate) unwind: Option<u32>,
    /// The property that is checked where no project file says so.
    pub(crate) property: Option<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            trusted: false,
            verify_on_save: true,
            timeout: Duration::from_secs(60),
            show_safe: false,
            unwind: None,
            property: None,
        }
    }
}

impl Settings {
    /// Takes what a value says; what it does not mention stays.
    pub(crate) fn update(&mut self, value: &Value) {
        // Editors send either the settings themselves or all settings by section.
        let value = value.get("vergo").unwrap_or(value);
        let flag = |name: &str| value.get(name).and_then(Value::as_bool);
        self.trusted = flag("trusted").unwrap_or(self.trusted);
        self.verify_on_save = flag("verifyOnSave").unwrap_or(self.verify_on_save);
        self.show_safe = flag("showSafe").unwrap_or(self.show_safe);
        if let Some(seconds) = value.get("timeout").and_then(Value::as_f64) {
            self.timeout = Duration::try_from_secs_f64(seconds).unwrap_or(self.timeout);
        }
        if let Some(unwind) = value.get("unwind") {
            self.unwind = unwind
                .as_u64()
                .and_then(|bound| u32::try_from(bound).ok())
                .filter(|bound| *bound > 0);
        }
        if let Some(property) = value.get("property") {
            self.property = property.as_str().filter(|name| !name.is_empty()).map(str::to_owned);
        }
    }
}
