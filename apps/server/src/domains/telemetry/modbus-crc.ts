/** Polynomial of the 16-bit checksums of Modbus and HJ 212. */
export const crcPolynomial = 0xa001

/** Modbus CRC-16. */
export function modbusCrc(bytes: Uint8Array, initial = 0xffff): number {
  let register = initial
  for (const byte of bytes) {
    register ^= byte
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >> 1) ^ crcPolynomial : register >> 1
  }
  return register
}
