import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { clipSeconds, frameOf, framesPerSecond, high, type Scene, wide } from './scene.ts'

/** The clips to render, and their folder. */
export interface ClipWork {
  folder: string
  scenes: readonly Scene[]
}

// The bundle assigns its exports at run time, so an ES import cannot see them.
const { createH264MP4Encoder } = createRequire(import.meta.url)('h264-mp4-encoder') as typeof import('h264-mp4-encoder')

// Lowers the priority of this thread only: pages come before clips.
setPriority(10)
const { folder, scenes } = workerData as ClipWork
mkdirSync(folder, { recursive: true })
for (const scene of scenes) {
  const encoder = await createH264MP4Encoder()
  encoder.width = wide
  encoder.height = high
  encoder.frameRate = framesPerSecond
  encoder.quantizationParameter = 28
  encoder.speed = 8
  // A key frame every second, so that seeking is exact.
  encoder.groupOfPictures = framesPerSecond
  encoder.initialize()
  for (let frame = 0; frame < clipSeconds * framesPerSecond; frame++) {
    const second = frame / framesPerSecond
    encoder.addFrameRgba(frameOf(scene, second, `:${String(Math.floor(second)).padStart(2, '0')}`))
  }
  encoder.finalize()
  const file = join(folder, `${scene}.mp4`)
  // Written atomically: a partial clip would be served for ever.
  writeFileSync(`${file}.part`, encoder.FS.readFile(encoder.outputFilename))
  renameSync(`${file}.part`, file)
  encoder.delete()
  parentPort?.postMessage(scene)
}
