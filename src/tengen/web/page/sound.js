import { settings } from "./settings.js";
let context = null;
export function click() {
    if (!settings.value.sound || !navigator.userActivation?.hasBeenActive)
        return;
    context ??= new AudioContext();
    if (context.state === "suspended")
        void context.resume();
    const now = context.currentTime;
    knock(context, now, 1150, 0.05, 0.5);
    knock(context, now, 340, 0.09, 0.4);
}
function knock(audio, at, pitch, length, loudness) {
    const samples = Math.ceil(audio.sampleRate * length);
    const buffer = audio.createBuffer(1, samples, audio.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < samples; i++)
        data[i] = (Math.random() * 2 - 1) * Math.exp((-7 * i) / samples);
    const source = audio.createBufferSource();
    source.buffer = buffer;
    const band = audio.createBiquadFilter();
    band.type = "bandpass";
    band.frequency.value = pitch;
    band.Q.value = 2.5;
    const gain = audio.createGain();
    gain.gain.value = loudness;
    source.connect(band).connect(gain).connect(audio.destination);
    source.start(at);
}
