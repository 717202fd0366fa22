import { type CrcMode, crcModeKeys } from '@zhugong/contract/protocols/hj212'
import { crcPolynomial, modbusCrc } from '../modbus-crc.ts'

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

/** CRC-16/IBM, also called ARC: the Modbus CRC with the initial value 0. */
const ibmCrc = (bytes: Uint8Array): number => modbusCrc(bytes, 0)

const swapped = (crc: number): number => ((crc & 0xff) << 8) | (crc >> 8)

const checksums: Readonly<Record<CrcMode, (bytes: Uint8Array) => number>> = {
  standard: standardCrc,
  standardSwapped: (bytes) => swapped(standardCrc(bytes)),
  modbus: (bytes) => modbusCrc(bytes),
  modbusSwapped: (bytes) => swapped(modbusCrc(bytes)),
  ibm: ibmCrc,
}

/** Checksum of a data segment as a station with this setting sends it, four hexadecimal digits. */
export const checksumOf = (mode: CrcMode, segment: Uint8Array): string => crcText(checksums[mode](segment))

/** Settings with which a received checksum would be correct. */
export const fittingModes = (segment: Uint8Array, received: string): CrcMode[] =>
  crcModeKeys.filter((mode) => checksumOf(mode, segment) === received)
