//! Restarts of a test's server on the same data, with other settings or as a passive node.

use std::time::Duration;

use server::config::{Config, LimitArgs, QuotaArgs, ServingArgs, TranscriptArgs};
use server::service::AppState;
use server::{Timeouts, open};

use super::backend::Backend;
use super::overrides::Overrides;
use super::test_server::Server;

impl Server {
    /// A node on the same database and bucket, without listener and background jobs.
    pub async fn passive_node(&self) -> AppState {
        let clock = self.app.clock.clone();
        let opened = open(&self.config, clock, self.app.public_url.clone()).await;
        opened.expect("a database and a bucket").0
    }

    /// Stops the server gracefully, and opens its data as a node without listener and background jobs.
    pub async fn into_passive(mut self) -> Self {
        self.shutdown().await;
        let (clock, url) = (self.app.clock.clone(), self.app.public_url.clone());
        let config = self.config.clone();
        drop(self.app);
        let (app, data_dir) = open(&config, clock, url)
            .await
            .expect("data that no other process has locked");
        Self {
            app,
            data_dir: Some(data_dir),
            ..self
        }
    }

    /// Stops the server gracefully, and returns the settings with which it can be opened again, and its data.
    pub async fn close(mut self) -> (Config, Backend) {
        self.shutdown().await;
        (self.config, self.backend)
    }

    /// Stops the server gracefully, and starts it again on the same data.
    pub async fn restart(self) -> Self {
        let overrides = self.overrides();
        self.restart_with(overrides).await
    }

    /// Restarts the server with these limits.
    /// What is stored is counted already, so that no sweep counts an upload twice.
    pub async fn with_limits(self, limits: LimitArgs) -> Self {
        let overrides = self.overrides();
        let overrides = Overrides {
            limits,
            ..overrides
        };
        self.restart_counted(overrides).await
    }

    /// Restarts the server with these quotas. What is stored is counted already.
    pub async fn with_quotas(self, quotas: QuotaArgs) -> Self {
        let overrides = self.overrides();
        let overrides = Overrides {
            quotas,
            ..overrides
        };
        self.restart_counted(overrides).await
    }

    async fn restart_counted(self, overrides: Overrides) -> Self {
        let server = self.restart_with(overrides).await;
        server.wait_for_first("sweep").await;
        server
    }

    /// Restarts the server with these listener settings.
    pub async fn with_serving_args(self, serving: ServingArgs) -> Self {
        let overrides = self.overrides();
        self.restart_with(Overrides {
            serving,
            ..overrides
        })
        .await
    }

    /// Restarts the server with these settings of transcripts.
    pub async fn with_transcripts(self, transcripts: TranscriptArgs) -> Self {
        let overrides = self.overrides();
        self.restart_with(Overrides {
            transcripts,
            ..overrides
        })
        .await
    }

    /// Restarts the server with this time for a call of the transcriber, besides that for its audio.
    pub async fn with_transcriber_timeout(self, timeout: Duration) -> Self {
        let overrides = self.overrides();
        self.restart_with(Overrides {
            transcriber_timeout: Some(timeout),
            ..overrides
        })
        .await
    }

    /// Restarts the server with these connection timeouts.
    pub async fn with_timeouts(self, timeouts: Timeouts) -> Self {
        let overrides = self.overrides();
        self.restart_with(Overrides {
            timeouts,
            ..overrides
        })
        .await
    }

    /// Restarts the server with this timeout for the beginning of a form's file.
    pub async fn with_form_prefix_timeout(self, timeout: Duration) -> Self {
        let overrides = self.overrides();
        self.restart_with(Overrides {
            form_prefix_timeout: Some(timeout),
            ..overrides
        })
        .await
    }

    pub(super) fn overrides(&self) -> Overrides {
        Overrides {
            form_prefix_timeout: Some(self.app.form_prefix_timeout),
            timeouts: self.timeouts,
            certificate: self.certificate.clone(),
            limits: self.config.limits.clone(),
            quotas: self.config.quotas.clone(),
            serving: self.config.serving.clone(),
            transcripts: self.config.transcripts.clone(),
            transcriber_timeout: self.app.transcriber.as_ref().map(|it| it.base_timeout),
            objects: Vec::new(),
        }
    }

    async fn restart_with(mut self, overrides: Overrides) -> Self {
        self.shutdown().await;
        let clock = self.app.clock.clone();
        drop(self.app);
        Self::start(self.backend, clock, overrides).await
    }
}
