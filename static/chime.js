// One short sound, without a file: walls and players' phones play it.
const desk = (window.doomdesk ??= {});

/** @param {AudioContext} sound @param {number} times */
desk.chime = (sound, times) => {
  for (let count = 0; count < times; count += 1) {
    const [tone, volume] = [sound.createOscillator(), sound.createGain()];
    const at = sound.currentTime + count * 0.6;
    tone.frequency.value = 880;
    volume.gain.setValueAtTime(0.4, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    tone.connect(volume).connect(sound.destination);
    tone.start(at);
    tone.stop(at + 0.5);
  }
};
