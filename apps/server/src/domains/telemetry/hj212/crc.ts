import { crcPolynomial } from '../modbus-crc.ts'

/** Checksum of HJ 212. Unlike Modbus, the register is shifted right by 8, which drops the low byte, before each byte is XORed in. */
export function standardCrc(bytes: Uint8Array): number {
  let register = 0xffff
  for (const byte of bytes) {
    register = (register >> 8) ^ byte
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >> 1) ^ crcPolynomial : register >> 1
  }
  return register
}

export const crcText = (crc: number): string => crc.toString(16).toUpperCase().padStart(4, '0')
