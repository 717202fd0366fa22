const polynomial = 0xa001

/** The check of HJ 212. Unlike Modbus, the shift by 8 throws the low byte away before the exclusive or. */
export function standardCrc(bytes: Uint8Array): number {
  let register = 0xffff
  for (const byte of bytes) {
    register = (register >> 8) ^ byte
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >> 1) ^ polynomial : register >> 1
  }
  return register
}

/** The ordinary Modbus CRC16, which some devices send by mistake. */
export function modbusCrc(bytes: Uint8Array): number {
  let register = 0xffff
  for (const byte of bytes) {
    register ^= byte
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >> 1) ^ polynomial : register >> 1
  }
  return register
}

export const crcText = (crc: number): string => crc.toString(16).toUpperCase().padStart(4, '0')
