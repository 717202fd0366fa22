import { parameterId, terminalParameter } from '@zhugong/contract/telemetry/terminal-parameters'

/** A frame that could not be read may still be an authentication: then only its header is shown. */
export function blankedHex(bytes: Buffer): string {
  const isAuthentication = bytes[0] === 0x01 && (bytes[1] === 0x02 || bytes[1] === 0x00)
  return bytes.toString('hex', 0, isAuthentication ? Math.min(16, bytes.length) : bytes.length)
}

const isSecret = (id: string): boolean => terminalParameter(parameterId(id) ?? -1)?.secret === true

/** Dial-up passwords among a terminal's parameters. */
export const hasSecret = (values: Readonly<Record<string, unknown>>): boolean => Object.keys(values).some(isSecret)

/** Parameters as they may be shown and kept. */
export const withoutSecrets = <T>(values: Readonly<Record<string, T>>): Record<string, T | '***'> =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, isSecret(id) ? '***' : value]))
