//! A daemon with real agents and a model.

use std::{net::TcpListener, path::PathBuf, time::Duration};

use serde_json::{Value, json};

use super::{
    home::{self, Way},
    lab::{Lab, entry},
    model::Model,
    pins::pin_of,
    profile::Profile,
};
use crate::harness::{Drover, LONG, PATIENCE, Sent, Setup, until};

/// How agents get at the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is there, and they have a key.
    Model,
    /// It is there, and they have no key.
    NoKey,
    /// Nobody listens there.
    Refused,
}

/// A daemon with one agent or more, a model, and a project.
pub struct Stage {
    /// The daemon.
    pub drover: Drover,
    /// The model.
    pub model: Model,
    /// The agents, the first of which the checks drive.
    pub agents: Vec<&'static Profile>,
    project: String,
    /// The project's directory.
    pub dir: PathBuf,
}

impl Stage {
    /// Starts the daemon and the model.
    pub async fn open(lab: &Lab, agents: &[&'static Profile], access: Access) -> Self {
        let model = Model::start().await;
        let url = if access == Access::Refused { closed_port() } else { model.url() };
        let way = Way { url: &url, key: access != Access::NoKey };
        let mut drover = Drover::prepared(Setup { agents: Vec::new(), ..Setup::default() });
        lab.lend(&drover.data(), &agents.iter().map(|agent| agent.id).collect::<Vec<_>>());
        drover.write_agents_toml(&agents.iter().map(|agent| entry(agent.id, &way)).collect::<String>());
        for agent in agents {
            home::furnish(&drover.subdir("home"), agent.id, &way).expect("files in the home");
        }
        drover.restart().await;
        for agent in agents {
            let told = drover.get(&format!("/agents/{}", agent.id)).await.is(200);
            assert_eq!(told["version"], pin_of(agent.id).version(), "the one that was installed: {told}");
        }
        let dir = drover.subdir("project");
        let project = drover.project_at(&dir).await;
        Self { drover, model, agents: agents.to_vec(), project, dir }
    }

    /// Stops the daemon, which ends the agents.
    pub async fn close(mut self) {
        self.drover.stop().await;
    }

    /// Stops the daemon and starts it again, once the sessions of all agents can be brought back.
    pub async fn restart(&mut self) {
        // A time that is the case itself: an agent loses a session that is younger.
        let rest = self.agents.iter().map(|agent| agent.rest).max().unwrap_or(0);
        tokio::time::sleep(Duration::from_secs(rest)).await;
        self.drover.stop().await;
        self.drover.restart().await;
    }

    /// The agent that the checks drive.
    pub fn agent(&self) -> &'static Profile {
        self.agents[0]
    }

    /// A new task in the project.
    pub async fn task(&self) -> String {
        self.drover.task_in(&self.project).await
    }

    /// A task whose agent asks before it acts.
    pub async fn asking_task(&self) -> String {
        let task = self.task().await;
        if let Some((option, value)) = self.agent().asking {
            self.set(&task, option, value).await;
        }
        task
    }

    /// Sets an option; starts the agent where it is off.
    pub async fn set(&self, task: &str, option: &str, value: &str) -> Value {
        self.ready(task).await;
        let option = option.replace('/', "%2F");
        let path = format!("/tasks/{task}/links/{}/options/{option}", self.agent().id);
        self.drover.put(&path, &json!({"value": value})).await.ok()
    }

    /// Starts the agent and waits until it can be talked to.
    pub async fn ready(&self, task: &str) -> Value {
        self.drover.post(&format!("/tasks/{task}/links/{}/connect", self.agent().id), &json!({})).await.ok();
        self.until_link(task, |state| state != "starting" && state != "off").await
    }

    /// Ends the agent's process.
    pub async fn disconnect(&self, task: &str) {
        self.drover.post(&format!("/tasks/{task}/links/{}/disconnect", self.agent().id), &json!({})).await.ok();
        self.until_link(task, |state| ["off", "parked", "needs_login"].contains(&state)).await;
    }

    /// The link of the task's agent.
    pub async fn link(&self, task: &str) -> Value {
        self.drover.get(&format!("/tasks/{task}/links/{}", self.agent().id)).await.is(200)
    }

    async fn until_link(&self, task: &str, test: impl Fn(&str) -> bool) -> Value {
        until("another state of the link", LONG, async || {
            let link = self.link(task).await;
            test(link["state"].as_str()?).then_some(link)
        })
        .await
    }

    /// Sends a message to the first agent.
    pub async fn send(&self, task: &str, text: &str) -> Sent {
        self.drover.send_to(task, self.agent().id, text).await
    }

    /// A turn that is over.
    pub async fn turn(&self, task: &str, text: &str) -> Value {
        let sent = self.send(task, text).await;
        self.end_of(task, &sent).await
    }

    /// The end of a turn. Starting seven agents on a loaded machine takes its time.
    pub async fn end_of(&self, task: &str, sent: &Sent) -> Value {
        self.drover.ended_within(task, &sent.assistant_message_id, Duration::from_secs(150)).await
    }

    /// The end of a turn; `None`: it waits for a login, and was stopped.
    pub async fn end_unless_locked(&self, task: &str, sent: &Sent) -> Option<Value> {
        let ended = until("the end of a turn, or its wait for a login", LONG * 5, async || {
            let message = self.drover.message(task, &sent.assistant_message_id).await;
            if !["queued", "streaming"].contains(&message["status"].as_str().unwrap_or_default()) {
                return Some(Some(message));
            }
            self.is_locked(sent).await.then_some(None)
        });
        let ended = ended.await;
        if ended.is_none() {
            self.drover.cancel(sent).await.ok();
            let stopped = self.end_of(task, sent).await;
            assert_eq!(stopped["status"], "cancelled", "{stopped}");
        }
        ended
    }

    /// Whether a run waits for a login.
    pub async fn is_locked(&self, sent: &Sent) -> bool {
        self.drover.get(&format!("/runs/{}", sent.run_id)).await.is(200)["waiting_for"] == "login"
    }

    /// A turn that is over, every question of which was answered by an option of the first of these kinds that it has.
    pub async fn turn_answering(&self, task: &str, text: &str, kinds: &[&str]) -> Value {
        let sent = self.send(task, text).await;
        loop {
            let message = self.drover.message(task, &sent.assistant_message_id).await;
            if !["queued", "streaming"].contains(&message["status"].as_str().unwrap_or_default()) {
                return message;
            }
            if let Some((request, option)) = self.question(task, kinds).await {
                // The agent may have taken it back meanwhile.
                self.drover.choose(&request, option).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// An open question and the id of its first option of the first of these kinds that it has.
    pub async fn question(&self, task: &str, kinds: &[&str]) -> Option<(Value, Value)> {
        let chat = self.drover.chat(task).await;
        let request = chat["requests"].as_array()?.iter().find(|request| request["state"] == "open")?.clone();
        let options = request["payload"]["options"].as_array()?;
        let of = |kind: &&str| options.iter().find(|option| option["kind"] == **kind);
        let option = kinds.iter().find_map(of)?["optionId"].clone();
        Some((request, option))
    }

    /// Waits until the agent asks.
    pub async fn asked(&self, task: &str, sent: &Sent, kinds: &[&str]) -> Option<(Value, Value)> {
        let ended = async || {
            let message = self.drover.message(task, &sent.assistant_message_id).await;
            !["queued", "streaming"].contains(&message["status"].as_str().unwrap_or_default())
        };
        until("a question, or an end without one", LONG, async || match self.question(task, kinds).await {
            Some(found) => Some(Some(found)),
            None if ended().await => Some(None),
            None => None,
        })
        .await
    }

    /// Ends the task with its agent's process, so that none waits for its idle time while the next ones start. With
    /// `DROVER_AGENTS_SHOW` the chat is printed first.
    pub async fn done(&self, task: &str) {
        if std::env::var_os("DROVER_AGENTS_SHOW").is_some() {
            println!("{:#}", self.drover.chat(task).await);
        }
        self.disconnect(task).await;
        until("a task that can be deleted", PATIENCE, async || {
            (self.drover.delete(&format!("/tasks/{task}")).await.status == 204).then_some(())
        })
        .await;
    }
}

/// An address at which nobody listens.
fn closed_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    format!("http://{}", listener.local_addr().expect("its address"))
}
