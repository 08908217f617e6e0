import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link, Route, Switch } from "wouter";
import { Announcer } from "../ui/announcer";
import { buttonClass } from "../ui/button";
import { Page } from "../ui/page";
import { RuntimeProvider, useConnection } from "./context";
import { ErrorBoundary } from "./error-boundary";
import { Frame } from "./frame";
import type { Runtime } from "./runtime";
import { useTitle } from "./title";
import { AddProject, AgentPage, Inbox, LaunchScreen, LooseTaskPage, PairingScreen, ProjectPage, Settings, TaskPage } from "./views";

const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });

export function App({ runtime }: { runtime: Runtime }) {
  return (
    <ErrorBoundary>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <RuntimeProvider value={runtime}>
            <Announcer />
            <Suspense fallback={null}>
              <Switch>
                <Route path="/launch" component={LaunchScreen} />
                <Route>
                  <Paired />
                </Route>
              </Switch>
            </Suspense>
          </RuntimeProvider>
        </QueryClientProvider>
      </CSPProvider>
    </ErrorBoundary>
  );
}

function Paired() {
  if (useConnection().state === "signed-out") return <PairingScreen />;
  return (
    <Frame>
      <Suspense fallback={<Page title="">{null}</Page>}>
        <Views />
      </Suspense>
    </Frame>
  );
}

function Views() {
  return (
    <Switch>
      <Route path="/" component={Inbox} />
      <Route path="/new" component={LooseTaskPage} />
      <Route path="/add" component={AddProject} />
      <Route path="/p/:project">{({ project }) => <ProjectPage id={project} />}</Route>
      <Route path="/p/:project/t/:task">{({ project, task }) => <TaskPage key={task} id={task} project={project} />}</Route>
      <Route path="/t/:task">{({ task }) => <TaskPage key={task} id={task} project={null} />}</Route>
      <Route path="/settings" component={Settings} />
      <Route path="/settings/agents/:agent">{({ agent }) => <AgentPage key={agent} id={agent} />}</Route>
      <Route path="/settings/:section" component={Settings} />
      <Route component={NotFound} />
    </Switch>
  );
}

function NotFound() {
  const { t } = useTranslation();
  useTitle([t("app.notFound")]);
  return (
    <Page title={t("app.notFound")}>
      <p className="mt-1 mb-4 text-muted">{t("app.notFoundBody")}</p>
      <Link href="/" className={buttonClass("strong")}>
        {t("app.toInbox")}
      </Link>
    </Page>
  );
}
