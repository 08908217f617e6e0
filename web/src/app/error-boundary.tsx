import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/button";
import { ErrorNote } from "../ui/error-note";

/** Says that the page itself broke, instead of going white. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <Crashed error={this.state.error} />;
  }
}

/** How browsers say that a script of the page could not be fetched: it went with the version of the daemon that had it. */
const PIECE_GONE = /dynamically imported module|importing a module script failed|unable to preload/i;

function Crashed({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const gone = error instanceof Error && PIECE_GONE.test(error.message);
  return (
    <main className="mx-auto max-w-[40rem] p-6">
      <ErrorNote error={gone ? null : error} lead={t(gone ? "connection.outdated" : "app.crashed")}>
        <Button className="mt-2" onClick={() => location.reload()}>
          {t("app.reload")}
        </Button>
      </ErrorNote>
    </main>
  );
}
