//! Where an update of an agent goes (lifecycle rule 8 and the background state).

use crate::{MessageId, RunId};

/// What an update is, as far as its place depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text, a thought, a plan, a file, or what this version does not know: something that makes a message grow.
    Content,
    /// A `tool_call`: it announces a call.
    ToolCall,
    /// A `tool_call_update`: it changes a call, or is the first to name it.
    ToolUpdate,
    /// The `toolCall` of a permission request.
    ToolAsked,
    /// What belongs to the session and to no message: usage, commands, options, a title.
    Other,
}

/// What the place depends on. `of this session` means over this very connection: what an earlier process of the same
/// link left behind is nobody's to go on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View {
    /// The update came under an older fence, is part of what a load replays, or is for a session that the link does not
    /// own.
    pub stale: bool,
    /// The message of this link's run that is starting, running or waiting.
    pub running: Option<MessageId>,
    /// This link's run in the background, if any; the latest of several.
    pub background: Option<Background>,
    /// The settled or streaming message with the greatest ordinal. Queued messages have no settled place and do not count.
    pub last: Option<Last>,
    /// The greatest cursor of any *other* link of the task, 0 without one. A handoff being built for another link counts
    /// as seen: what is added behind its back would be lost to that agent.
    pub others_seen: i64,
    /// For a tool call: the newest message of this session that has a call of that id.
    pub known: Option<Known>,
}

/// A run in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Background {
    /// The run.
    pub run: RunId,
    /// The last message with this `run_id`: its own, or the one opened after that was seen.
    pub message: MessageId,
    /// The ordinal of that message.
    pub ordinal: i64,
}

/// The last message of a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Last {
    /// The message.
    pub message: MessageId,
    /// Its ordinal.
    pub ordinal: i64,
    /// Who made it.
    pub author: Author,
}

/// Who made the last message of a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The user, another agent, or an earlier process of this one.
    Other,
    /// This session, in answer to a prompt that is settled by now.
    Answered,
    /// This session, by itself (`origin: "agent"`).
    ByItself,
}

/// A message that has a certain tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// The message.
    pub message: MessageId,
    /// Whether the call is open ([`crate::message::ToolCall::is_open`]).
    pub open: bool,
}

/// Where an update goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Into the message of the running prompt.
    Current(MessageId),
    /// Into the message of a run in the background.
    Background(MessageId),
    /// Into a new assistant message at the end with this `run_id`: another link has seen the run's last one.
    FreshOfRun(RunId),
    /// Into the last message, whose prompt is answered: it is marked late.
    Late(MessageId),
    /// Into the last message, which the agent began by itself.
    Own(MessageId),
    /// Into a new assistant message at the end: `origin: "agent"`, no run.
    Fresh,
    /// To a tool call that this message has; nothing else of the message may change, and it is not marked late.
    Tool(MessageId),
    /// Into no message.
    Nowhere(Reason),
}

/// Why an update goes into no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is to be dropped and counted.
    Stale,
    /// It is about the session, not about a message.
    Session,
}

/// The place of an update.
pub fn place(kind: Kind, view: &View) -> Place {
    if view.stale {
        return Place::Nowhere(Reason::Stale);
    }
    match kind {
        Kind::Other => Place::Nowhere(Reason::Session),
        Kind::Content => content(view),
        Kind::ToolCall | Kind::ToolUpdate | Kind::ToolAsked => match view.known {
            Some(known) if names_earlier(kind, known, view) => Place::Tool(known.message),
            _ => content(view),
        },
    }
}

/// Whether a tool call of this id is the one `known`, and not a new one in what grows now.
fn names_earlier(kind: Kind, known: Known, view: &View) -> bool {
    let Some(running) = view.running else {
        // Real ids are unique: a call announced again while nothing runs is the same call.
        return true;
    };
    if known.message == running {
        return false;
    }
    match kind {
        // Ids are unique in their turn only: a call announced in a turn is a new entry of that turn.
        Kind::ToolCall => false,
        // A question is about something still to be done; an ended call of an earlier turn cannot be meant.
        Kind::ToolAsked => known.open,
        _ => true,
    }
}

fn content(view: &View) -> Place {
    if let Some(running) = view.running {
        return Place::Current(running);
    }
    let seen = |ordinal: i64| view.others_seen >= ordinal;
    if let Some(background) = view.background {
        return if seen(background.ordinal) {
            Place::FreshOfRun(background.run)
        } else {
            Place::Background(background.message)
        };
    }
    match view.last {
        Some(Last { message, ordinal, author: Author::Answered }) if !seen(ordinal) => Place::Late(message),
        Some(Last { message, ordinal, author: Author::ByItself }) if !seen(ordinal) => Place::Own(message),
        _ => Place::Fresh,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ulid::Ulid;

    use super::*;

    fn message(number: u8) -> MessageId {
        MessageId::from_ulid(Ulid::from(u128::from(number)))
    }

    fn run() -> RunId {
        RunId::from_ulid(Ulid::from(1_u128))
    }

    /// An answered message at ordinal 2 that no other link has seen.
    fn answered() -> View {
        let last = Last { message: message(2), ordinal: 2, author: Author::Answered };
        View { last: Some(last), ..View::default() }
    }

    fn running() -> View {
        let last = Last { message: message(4), ordinal: 4, author: Author::Other };
        View { running: Some(message(4)), last: Some(last), others_seen: 3, ..View::default() }
    }

    fn background() -> View {
        let last = Last { message: message(6), ordinal: 6, author: Author::Other };
        let background = Background { run: run(), message: message(4), ordinal: 4 };
        View { background: Some(background), last: Some(last), others_seen: 3, ..View::default() }
    }

    fn known(number: u8, open: bool) -> Option<Known> {
        Some(Known { message: message(number), open })
    }

    #[test]
    fn what_comes_while_a_prompt_runs_belongs_to_it() {
        assert_eq!(place(Kind::Content, &running()), Place::Current(message(4)));
        let both = View { background: background().background, ..running() };
        assert_eq!(place(Kind::Content, &both), Place::Current(message(4)));
        for kind in [Kind::ToolCall, Kind::ToolUpdate, Kind::ToolAsked] {
            assert_eq!(place(kind, &running()), Place::Current(message(4)));
            assert_eq!(place(kind, &View { known: known(4, true), ..running() }), Place::Current(message(4)));
        }
    }

    #[test]
    fn an_update_of_an_earlier_call_finds_it_while_a_prompt_runs() {
        for open in [true, false] {
            let view = View { known: known(2, open), ..running() };
            assert_eq!(place(Kind::ToolUpdate, &view), Place::Tool(message(2)));
        }
    }

    #[test]
    fn a_call_announced_again_in_the_next_turn_is_a_new_one() {
        let view = View { known: known(2, true), ..running() };
        assert_eq!(place(Kind::ToolCall, &view), Place::Current(message(4)));
    }

    #[test]
    fn a_question_is_about_a_call_that_is_still_open() {
        assert_eq!(place(Kind::ToolAsked, &View { known: known(2, true), ..running() }), Place::Tool(message(2)));
        assert_eq!(place(Kind::ToolAsked, &View { known: known(2, false), ..running() }), Place::Current(message(4)));
    }

    #[test]
    fn late_text_joins_its_message_while_that_is_the_last_and_unseen_by_others() {
        assert_eq!(place(Kind::Content, &answered()), Place::Late(message(2)));
        assert_eq!(place(Kind::Content, &View { others_seen: 1, ..answered() }), Place::Late(message(2)));
        assert_eq!(place(Kind::Content, &View { others_seen: 2, ..answered() }), Place::Fresh);
        let another = Last { message: message(4), ordinal: 4, author: Author::Other };
        assert_eq!(place(Kind::Content, &View { last: Some(another), ..answered() }), Place::Fresh);
    }

    #[test]
    fn an_agent_that_begins_by_itself_goes_on_in_its_own_message() {
        assert_eq!(place(Kind::Content, &View::default()), Place::Fresh);
        let own = Last { message: message(3), ordinal: 3, author: Author::ByItself };
        assert_eq!(place(Kind::Content, &View { last: Some(own), ..View::default() }), Place::Own(message(3)));
        let seen = View { last: Some(own), others_seen: 3, ..View::default() };
        assert_eq!(place(Kind::Content, &seen), Place::Fresh);
    }

    #[test]
    fn late_updates_find_their_tool_and_new_tools_are_late_content() {
        for kind in [Kind::ToolCall, Kind::ToolUpdate, Kind::ToolAsked] {
            assert_eq!(place(kind, &View { known: known(2, true), ..answered() }), Place::Tool(message(2)));
            assert_eq!(place(kind, &answered()), Place::Late(message(2)));
        }
    }

    #[test]
    fn a_message_that_another_link_has_seen_changes_only_in_its_tools() {
        let view = View { known: known(2, true), others_seen: 9, ..answered() };
        assert_eq!(place(Kind::ToolUpdate, &view), Place::Tool(message(2)));
        assert_eq!(place(Kind::Content, &view), Place::Fresh);
    }

    #[test]
    fn a_run_in_the_background_fills_its_message_until_another_link_has_seen_it() {
        assert_eq!(place(Kind::Content, &background()), Place::Background(message(4)));
        assert_eq!(place(Kind::ToolCall, &background()), Place::Background(message(4)));
        let seen = View { others_seen: 5, ..background() };
        assert_eq!(place(Kind::Content, &seen), Place::FreshOfRun(run()));
        assert_eq!(place(Kind::ToolUpdate, &View { known: known(4, true), ..seen }), Place::Tool(message(4)));
    }

    #[test]
    fn the_sessions_own_news_go_into_no_message() {
        assert_eq!(place(Kind::Other, &running()), Place::Nowhere(Reason::Session));
    }

    fn any_view() -> impl Strategy<Value = View> {
        let id = || (0..6u8).prop_map(message);
        let author = prop_oneof![Just(Author::Other), Just(Author::Answered), Just(Author::ByItself)];
        let background = (id(), 1..9i64).prop_map(|(message, ordinal)| Background { run: run(), message, ordinal });
        let last = (id(), 1..9i64, author).prop_map(|(message, ordinal, author)| Last { message, ordinal, author });
        let known = (id(), any::<bool>()).prop_map(|(message, open)| Known { message, open });
        use prop::option::of as some;
        (any::<bool>(), some(id()), some(background), some(last), 0..9i64, some(known)).prop_map(
            |(stale, running, background, last, others_seen, known)| View {
                stale,
                running,
                background,
                last,
                others_seen,
                known,
            },
        )
    }

    fn any_kind() -> impl Strategy<Value = Kind> {
        prop::sample::select(vec![Kind::Content, Kind::ToolCall, Kind::ToolUpdate, Kind::ToolAsked, Kind::Other])
    }

    proptest! {
        #[test]
        fn what_others_have_seen_never_grows(kind in any_kind(), view in any_view()) {
            match place(kind, &view) {
                Place::Late(_) | Place::Own(_) => prop_assert!(view.last.unwrap().ordinal > view.others_seen),
                Place::Background(_) => prop_assert!(view.background.unwrap().ordinal > view.others_seen),
                Place::Tool(message) => prop_assert_eq!(Some(message), view.known.map(|known| known.message)),
                Place::Current(message) => prop_assert_eq!(Some(message), view.running),
                Place::Fresh | Place::FreshOfRun(_) => prop_assert_eq!(view.running, None),
                Place::Nowhere(_) => prop_assert!(view.stale || kind == Kind::Other),
            }
        }

        #[test]
        fn the_stale_goes_nowhere(kind in any_kind(), view in any_view()) {
            prop_assert_eq!(place(kind, &View { stale: true, ..view }), Place::Nowhere(Reason::Stale));
        }
    }
}
