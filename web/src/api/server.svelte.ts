// Whether the program answers.
class Server {
  gone = $state(false);
  private waiting: Promise<void> | undefined;

  here(): void {
    this.gone = false;
  }

  /** Resolves when the program answers again. */
  back(signal: AbortSignal): Promise<void> {
    this.gone = true;
    this.waiting ??= this.watch();
    return Promise.race([
      this.waiting,
      new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })),
    ]);
  }

  private async watch(): Promise<void> {
    for (let pause = 500; ; pause = Math.min(pause * 1.5, 5000)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const answers = await fetch('/healthz', { cache: 'no-store' }).then((r) => r.ok, () => false);
      if (answers) break;
    }
    this.gone = false;
    this.waiting = undefined;
  }
}

export const server = new Server();
