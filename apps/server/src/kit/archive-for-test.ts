import { crc32, deflateRawSync } from 'node:zlib'

export interface Part {
  name: string
  data: Buffer | string
  /** Written instead of the correct value. */
  crc?: number
  bytes?: number
  encrypted?: boolean
}

/** Builds a ZIP archive by hand, with headers that no ordinary program would write. */
export function archive(parts: readonly Part[]): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, data, crc, bytes, encrypted = false } of parts) {
    const raw = Buffer.from(data)
    const packed = deflateRawSync(raw)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(encrypted ? 1 : 0, 2)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc ?? crc32(raw), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(bytes ?? raw.length, 18)
    about.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, Buffer.from(name), packed])
    const central = Buffer.alloc(14)
    central.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), about, central.subarray(0, 14), Buffer.from(name))
    bodies.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, list, end])
}
