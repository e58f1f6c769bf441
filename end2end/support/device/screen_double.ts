// A double of screen sharing: a canvas, with the sound of the shared tab as a steady tone. Engines without a screen, as on
// test machines, have no other.

/** What the page has asked for, and what of it is still open. Read it by `readScreen`. */
export interface Screen {
  /** The constraints of `getDisplayMedia`, as JSON. */
  asked: { audio: unknown; systemAudio?: string }[];
  /** The kinds of all tracks of screens and microphones that haven't ended. */
  live: string[];
  /** How many of the page's audio contexts aren't closed. */
  contexts: number;
}

/** The frequencies of the tones in Hz; `undefined`: there is no such sound. */
export interface Tones {
  tab?: number;
  microphone?: number;
}

/** Runs in the page, before it shares anything. */
export function shareTones({ tab, microphone }: Tones): void {
  const Context = AudioContext;
  const contexts: AudioContext[] = [];
  const tracks: MediaStreamTrack[] = [];
  const asked: unknown[] = [];
  window.AudioContext = class extends Context {
    constructor(...options: any[]) {
      super(...options);
      contexts.push(this);
    }
  };
  const tone = (frequency: number) => {
    const context = new Context();
    const heard = context.createMediaStreamDestination();
    const oscillator = context.createOscillator();
    oscillator.frequency.value = frequency;
    oscillator.connect(heard);
    oscillator.start();
    void context.resume();
    return heard.stream.getAudioTracks()[0];
  };
  MediaDevices.prototype.getDisplayMedia = async (constraints: any) => {
    asked.push(JSON.parse(JSON.stringify(constraints)));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 360];
    const brush = canvas.getContext('2d')!;
    let frames = 0;
    setInterval(() => {
      brush.fillStyle = `hsl(${(7 * frames++) % 360} 80% 50%)`;
      brush.fillRect(0, 0, 640, 360);
    }, 100);
    const shared = canvas.captureStream(10);
    if (constraints.audio && tab) shared.addTrack(tone(tab));
    tracks.push(...shared.getTracks());
    return shared;
  };
  MediaDevices.prototype.getUserMedia = async () => {
    if (!microphone) throw new DOMException('Requested device not found', 'NotFoundError');
    const opened = new MediaStream([tone(microphone)]);
    tracks.push(...opened.getTracks());
    return opened;
  };
  const screen = (): Screen => ({
    asked: asked as Screen['asked'],
    live: tracks.filter((it) => it.readyState === 'live').map((it) => it.kind),
    contexts: contexts.filter((it) => it.state !== 'closed').length,
  });
  const suspendSound = (forGood: boolean) => {
    for (const context of contexts) {
      if (forGood) context.resume = () => Promise.reject(new DOMException('Interrupted', 'InvalidStateError'));
      void context.suspend();
    }
  };
  // No event tells the page of tracks that it stopped itself; neither does it need one.
  const endTabSound = () => tracks.find((it) => it.kind === 'audio')!.stop();
  Object.assign(window, { screenDouble: screen, suspendSound, endTabSound });
}

/** Runs in the page: suspends its audio contexts, as a call does. Needs `shareTones`. */
export const suspendSound = (forGood: boolean): void => (window as any).suspendSound(forGood);

/** Runs in the page: ends the sound of the tab, which stays shared. Needs `shareTones`. */
export const endTabSound = (): void => (window as any).endTabSound();

/** Runs in the page. Needs `shareTones`. */
export const readScreen = (): Screen => (window as any).screenDouble();
