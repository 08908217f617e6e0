//! The root: rings the actor of every task that has something to act on, and starts it where there is none.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use drover_domain::{AgentId, TaskId};
use tokio::sync::{mpsc, oneshot};

use crate::context::Context;
use crate::task::{Gone, Mail, TaskActor, TaskHandle};

/// How long to wait before a store that cannot be read is tried again.
const AGAIN: Duration = Duration::from_millis(250);
/// In this time all agents are gone after a stop: the ladder takes 7 s at most.
const STOP: Duration = Duration::from_secs(8);

/// What the root is told beside intents.
pub(crate) enum Order {
    /// Give a letter to the actor of a task.
    Deliver { task: TaskId, mail: Mail },
    /// Processes of this agent know of no login, or of one that is no more.
    Account { agent: AgentId, logged_in: bool },
    /// End everything, then say so.
    Stop { done: oneshot::Sender<()> },
}

pub(crate) struct Root {
    context: Arc<Context>,
    cursor: i64,
    actors: HashMap<TaskId, Running>,
    orders: mpsc::Receiver<Order>,
    gone: mpsc::UnboundedReceiver<Gone>,
    gone_in: mpsc::UnboundedSender<Gone>,
}

struct Running {
    handle: TaskHandle,
    /// The newest intent it was rung for.
    rung: i64,
}

impl Root {
    pub(crate) fn new(context: Arc<Context>, orders: mpsc::Receiver<Order>) -> Self {
        let (gone_in, gone) = mpsc::unbounded_channel();
        Self { context, cursor: 0, actors: HashMap::new(), orders, gone, gone_in }
    }

    pub(crate) async fn run(mut self) {
        let mut bell = self.context.store.intent_bell();
        let slots = Arc::clone(&self.context.slots);
        loop {
            // Seen before the read, so that no ring is missed.
            bell.borrow_and_update();
            let read = self.read_intents().await;
            tokio::select! {
                rung = bell.changed() => {
                    if rung.is_err() {
                        return;
                    }
                }
                () = tokio::time::sleep(AGAIN), if !read => {}
                order = self.orders.recv() => match order {
                    Some(Order::Deliver { task, mail }) => self.deliver(task, mail).await,
                    Some(Order::Account { agent, logged_in }) => self.account_changed(&agent, logged_in),
                    Some(Order::Stop { done }) => {
                        self.stop().await;
                        let _ = done.send(());
                        return;
                    }
                    None => return,
                },
                Some(gone) = self.gone.recv() => self.bury(gone).await,
                waiting = slots.freed() => {
                    for task in waiting {
                        if let Some(running) = self.actors.get(&task) {
                            let _ = running.handle.mail.try_send(Mail::Poke);
                        }
                    }
                }
            }
        }
    }

    /// Rings for all new intents. `false`: the store cannot be read now.
    async fn read_intents(&mut self) -> bool {
        loop {
            let rows = match self.context.store.intents_after(self.cursor).await {
                Ok(rows) => rows,
                Err(error) => {
                    tracing::warn!(%error, "intents cannot be read; trying again");
                    return false;
                }
            };
            let Some(last) = rows.last() else { return true };
            let last = last.seq;
            for row in &rows {
                self.ring(row.task_id, row.seq).await;
            }
            self.cursor = last;
        }
    }

    async fn ring(&mut self, task: TaskId, seq: i64) {
        if !self.actors.contains_key(&task) {
            self.spawn(task, seq - 1).await;
        }
        if let Some(running) = self.actors.get_mut(&task) {
            running.rung = seq;
            running.handle.bell.send_replace(seq);
        }
    }

    async fn spawn(&mut self, task: TaskId, cursor: i64) {
        match TaskActor::start(Arc::clone(&self.context), task, cursor, self.gone_in.clone()).await {
            Ok(Some(handle)) => {
                self.actors.insert(task, Running { handle, rung: cursor });
            }
            Ok(None) => {}
            Err(error) => tracing::error!(%task, %error, "a task cannot be read, so nothing can be done in it"),
        }
    }

    async fn deliver(&mut self, task: TaskId, mail: Mail) {
        if !self.actors.contains_key(&task) {
            self.spawn(task, self.cursor).await;
        }
        if let Some(running) = self.actors.get(&task) {
            // Full or gone: whoever waits for an answer is told by the letter's end.
            let _ = running.handle.mail.try_send(mail);
        }
    }

    /// An actor ended; one that was rung for since starts anew.
    async fn bury(&mut self, gone: Gone) {
        let Some(running) = self.actors.remove(&gone.task) else { return };
        if running.rung > gone.cursor {
            self.spawn(gone.task, gone.cursor).await;
            if let Some(next) = self.actors.get_mut(&gone.task) {
                next.rung = running.rung;
                next.handle.bell.send_replace(running.rung);
            }
        }
    }

    fn account_changed(&self, agent: &AgentId, logged_in: bool) {
        for running in self.actors.values() {
            let (mail, agent) = (running.handle.mail.clone(), agent.clone());
            tokio::spawn(async move { mail.send(Mail::Account { agent, logged_in }).await });
        }
    }

    async fn stop(&mut self) {
        for running in self.actors.values() {
            // One whose letterbox is full is busy with what others asked; it is told when there is room.
            let mail = running.handle.mail.clone();
            tokio::spawn(async move { mail.send(Mail::Stop).await });
        }
        let all_gone = async {
            while !self.actors.is_empty() {
                match self.gone.recv().await {
                    Some(gone) => self.actors.remove(&gone.task),
                    None => return,
                };
            }
        };
        if tokio::time::timeout(STOP, all_gone).await.is_err() {
            tracing::warn!("not all agents ended in time; their keepers go on ending them");
        }
    }
}
