/** All provers by name, each loaded when it is run. To add one, add a line. */
import type { Prover } from './prover.ts';

export const provers: Readonly<Record<string, () => Promise<Prover>>> = {
  interface: async () => (await import('./interface.ts')).interfaceProver,
  orders: async () => (await import('./orders.ts')).ordersProver,
  inputs: async () => (await import('./inputs.ts')).inputsProver,
  kill: async () => (await import('./kill.ts')).killProver,
  recording: async () => (await import('./recording.ts')).recordingProver,
  crash: async () => (await import('./crash.ts')).crashProver,
  disk: async () => (await import('./disk.ts')).diskProver,
  silence: async () => (await import('./silence.ts')).silenceProver,
  recovery: async () => (await import('./recovery.ts')).recoveryProver,
  network: async () => (await import('./network.ts')).networkProver,
  latency: async () => (await import('./latency.ts')).latencyProver,
  soak: async () => (await import('./soak.ts')).soakProver,
  book: async () => (await import('./book.ts')).bookProver,
  fidelity: async () => (await import('./fidelity.ts')).fidelityProver,
  replay: async () => (await import('./replay.ts')).replayProver,
  speed: async () => (await import('./speed.ts')).speedProver,
  peers: async () => (await import('./peers.ts')).peersProver,
  memory: async () => (await import('./memory.ts')).memoryProver,
  gate: async () => (await import('./gate.ts')).gateProver,
  structure: async () => (await import('./structure.ts')).structureProver,
  page: async () => (await import('./page.ts')).pageProver,
  simulator: async () => (await import('./simulator.ts')).simulatorProver,
  package: async () => (await import('./package.ts')).packageProver,
  'exchange-speed': async () => (await import('./exchange-speed.ts')).exchangeSpeedProver,
};
