use drover_domain::request::Action;
use drover_domain::{Answer, Outcome, RequestKind, RequestState, RunState, TaskState};
use drover_store::{AnswerError, Fact, Intent};

use crate::harness::{Bed, Under, end, is_fenced};

fn choose(option: &str) -> Answer {
    Answer::Option { option_id: Some(option.into()) }
}

async fn asked(bed: &Bed) -> (drover_domain::Request, Under) {
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let request = bed.request(task, Some(sent.run_id));
    bed.write(task, under, vec![Fact::Asked(Box::new(request.clone()))]).await.unwrap();
    (request, under)
}

#[tokio::test]
async fn a_question_is_stored_as_it_came_and_makes_its_run_wait() {
    let bed = Bed::new().await;
    let (request, under) = asked(&bed).await;
    assert_eq!(bed.store.request(request.id).await.unwrap().unwrap(), request);
    let chat = bed.store.chat(request.task_id, None, 50).await.unwrap().unwrap();
    assert_eq!((chat.requests, chat.task.state, chat.task.unread), (vec![request.clone()], TaskState::Waiting, true));
    let second = bed.request(request.task_id, request.run_id);
    bed.write(request.task_id, under, vec![Fact::Asked(Box::new(second.clone()))]).await.unwrap();
    let state = async || bed.store.run(request.run_id.unwrap()).await.unwrap().unwrap().state;
    bed.store.answer_request(request.id, choose("no"), None, bed.now()).await.unwrap();
    assert_eq!(state().await, RunState::Waiting, "the other is open");
    bed.write(request.task_id, under, vec![Fact::Withdrawn { request_id: second.id }]).await.unwrap();
    assert_eq!(state().await, RunState::Running);
    assert_eq!(bed.store.request(second.id).await.unwrap().unwrap().state, RequestState::Void);
}

#[tokio::test]
async fn of_twenty_answers_one_wins_and_the_others_hear_which() {
    let bed = Bed::new().await;
    let (request, _) = asked(&bed).await;
    let mut set = tokio::task::JoinSet::new();
    for n in 0..20 {
        let (store, id, now) = (bed.store.clone(), request.id, bed.now());
        let answer = choose(if n % 2 == 0 { "yes" } else { "no" });
        set.spawn(async move { (answer.clone(), store.answer_request(id, answer, None, now).await) });
    }
    let (won, lost): (Vec<_>, Vec<_>) = set.join_all().await.into_iter().partition(|(_, result)| result.is_ok());
    assert_eq!(won.len(), 1);
    for (_, result) in lost {
        assert!(matches!(result, Err(AnswerError::Answered(Some(answer))) if answer == won[0].0));
    }
    let intents = bed.store.intents_after(0).await.unwrap();
    let answers =
        intents.iter().filter(|row| row.intent == Intent::Answer { request_id: request.id, held: None }).count();
    assert_eq!(answers, 1);
}

#[tokio::test]
async fn an_answer_that_cannot_be_is_refused_and_the_question_stays_open() {
    let bed = Bed::new().await;
    let (request, _) = asked(&bed).await;
    let answer = async |answer| bed.store.answer_request(request.id, answer, None, bed.now()).await;
    assert!(matches!(answer(choose("maybe")).await, Err(AnswerError::NotOffered)));
    assert!(matches!(answer(Answer::Action { action: Action::Accept }).await, Err(AnswerError::WrongKind)));
    assert_eq!(bed.store.request(request.id).await.unwrap().unwrap(), request);
    let nobody = bed.request(request.task_id, None).id;
    assert!(matches!(
        bed.store.answer_request(nobody, choose("yes"), None, bed.now()).await,
        Err(AnswerError::NotFound)
    ));
}

#[tokio::test]
async fn of_a_form_only_the_action_is_kept() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let form = drover_domain::Request { kind: RequestKind::Elicitation, ..bed.request(task, None) };
    bed.write(task, None, vec![Fact::Asked(Box::new(form.clone()))]).await.unwrap();
    assert!(matches!(
        bed.store.answer_request(form.id, choose("yes"), None, bed.now()).await,
        Err(AnswerError::WrongKind)
    ));
    let answered =
        bed.store.answer_request(form.id, Answer::Action { action: Action::Accept }, None, bed.now()).await.unwrap();
    assert_eq!(answered.answer, Some(Answer::Action { action: Action::Accept }));
}

#[tokio::test]
async fn a_stopped_runs_questions_are_answered_as_cancelled_and_an_ended_runs_are_void() {
    let bed = Bed::new().await;
    let (request, under) = asked(&bed).await;
    let run = request.run_id.unwrap();
    assert!(bed.store.cancel_run(run, bed.now()).await.unwrap().1);
    let answered = bed.store.request(request.id).await.unwrap().unwrap();
    assert_eq!((answered.state, answered.answer), (RequestState::Answered, Some(Answer::Option { option_id: None })));
    let second = bed.request(request.task_id, Some(run));
    bed.write(request.task_id, under, vec![Fact::Asked(Box::new(second.clone()))]).await.unwrap();
    bed.write(request.task_id, under, vec![end(Outcome::Cancelled)]).await.unwrap();
    assert_eq!(bed.store.request(second.id).await.unwrap().unwrap().state, RequestState::Void);
    assert!(matches!(
        bed.store.answer_request(second.id, choose("yes"), None, bed.now()).await,
        Err(AnswerError::Void)
    ));
    // A run that is over asks nothing any more.
    let third = bed.request(request.task_id, Some(run));
    assert!(is_fenced(bed.write(request.task_id, under, vec![Fact::Asked(Box::new(third.clone()))]).await));
    assert_eq!(bed.store.request(third.id).await.unwrap(), None);
}
