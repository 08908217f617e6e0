//! Scratch.
use drover_domain::Timestamp;
use drover_store::*;
use sqlx::{ConnectOptions, Connection, Executor};
use std::time::Instant;
#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let dir = std::path::PathBuf::from(std::env::args().nth(1).unwrap());
    let opt = || OpenOptions {
        data_dir: dir.clone(),
        fresh_instance_id: "x".into(),
        now: Timestamp::from_millis(1_767_225_600_000),
        feed_days: 7,
        feed_entries: 200_000,
        feed_bytes: 500_000_000,
    };
    if std::env::args().nth(2).as_deref() == Some("seed") {
        let s = Store::open(opt()).await.unwrap();
        s.close().await.unwrap();
        drop(s);
        let mut c = sqlx::sqlite::SqliteConnectOptions::new().filename(dir.join("drover.db")).connect().await.unwrap();
        c.execute("begin").await.unwrap();
        c.execute("with recursive n(i) as (select 0 union all select i+1 from n where i<999) insert into tasks (id,title,title_source,cwd,created_at,updated_at,activity_at) select printf('01ARZ3NDEKTSV4RRFFQ6%06d',i),'title '||i,'prompt','/tmp',i,i,i from n").await.unwrap();
        c.execute("with recursive n(i) as (select 0 union all select i+1 from n where i<19999) insert into messages (id,task_id,ordinal,role,origin,agent,status,run_id,created_at) select printf('01ARZ3NDEKTSV4RRFFQM%06d',i),printf('01ARZ3NDEKTSV4RRFFQ6%06d',i/20),i%20+1,iif(i%2,'assistant','user'),iif(i%2,'run','user'),'alpha','done',printf('01ARZ3NDEKTSV4RRFFQR%06d',i/2),i from n").await.unwrap();
        c.execute("with recursive n(i) as (select 0 union all select i+1 from n where i<39999) insert into parts (message_id,idx,kind,body) select printf('01ARZ3NDEKTSV4RRFFQM%06d',i/2),i%2,'text',hex(randomblob(750)) from n").await.unwrap();
        c.execute("with recursive n(i) as (select 0 union all select i+1 from n where i<9999) insert into runs (id,task_id,agent,state,user_message_id,assistant_message_id,place,queued_at,fence,sent) select printf('01ARZ3NDEKTSV4RRFFQR%06d',i),printf('01ARZ3NDEKTSV4RRFFQ6%06d',i/10),'alpha','done',printf('01ARZ3NDEKTSV4RRFFQM%06d',i*2),printf('01ARZ3NDEKTSV4RRFFQM%06d',i*2+1),1,i,i,2 from n").await.unwrap();
        c.execute("with recursive n(i) as (select 0 union all select i+1 from n where i<999) insert into links (task_id,agent,state,options) select printf('01ARZ3NDEKTSV4RRFFQ6%06d',i),'alpha','off','[\"'||hex(randomblob(4000))||'\"]' from n").await.unwrap();
        c.execute("with recursive n(i) as (select 0 union all select i+1 from n where i<199999) insert into feed (seq,task_id,kind,data,at) select 3000000+i,null,'x','{\"'||hex(randomblob(100))||'\"}',1767225600000 from n").await.unwrap();
        c.execute("commit").await.unwrap();
        c.execute("pragma wal_checkpoint(truncate)").await.unwrap();
        c.close().await.unwrap();
        return;
    }
    let t = Instant::now();
    let s = Store::open(opt()).await.unwrap();
    let a = t.elapsed();
    let r = s.recover(Timestamp::from_millis(1_767_225_600_000)).await.unwrap();
    let b = t.elapsed();
    if std::env::args().nth(2).as_deref() == Some("only") { println!("open {a:?} +recover {b:?}"); std::process::exit(0); }
    let t0 = Instant::now();
    let tasks = s.tasks(TaskFilter { limit: 100, ..Default::default() }).await.unwrap();
    let c = t0.elapsed();
    let t1 = Instant::now();
    let chat = s.chat(tasks.tasks[0].id, None, 50).await.unwrap().unwrap();
    let d = t1.elapsed();
    let t2 = Instant::now();
    s.sweep().await.unwrap();
    let e = t2.elapsed();
    let rss = std::fs::read_to_string("/proc/self/status")
        .unwrap()
        .lines()
        .find(|l| l.starts_with("VmRSS"))
        .unwrap()
        .to_owned();
    println!("open {a:?} +recover {b:?} tasks {c:?} chat({}) {d:?} sweep {e:?} {rss} {r:?}", chat.messages.len());
    s.close().await.unwrap();
}
