import { parameterId, terminalParameter } from '@zhugong/contract/telemetry/terminal-parameters'

/** Hexadecimal text of an undecodable frame. It may be an authentication or registration; then only its header is shown. */
export function blankedHex(bytes: Buffer): string {
  const isAuthentication = bytes[0] === 0x01 && (bytes[1] === 0x02 || bytes[1] === 0x00)
  return bytes.toString('hex', 0, isAuthentication ? Math.min(16, bytes.length) : bytes.length)
}

const isSecret = (id: string): boolean => terminalParameter(parameterId(id) ?? -1)?.secret === true

/** Whether the parameters include a dial-up password. */
export const hasSecret = (values: Readonly<Record<string, unknown>>): boolean => Object.keys(values).some(isSecret)

/** Parameters with secret values masked, for display and storage. */
export const withoutSecrets = <T>(values: Readonly<Record<string, T>>): Record<string, T | '***'> =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, isSecret(id) ? '***' : value]))
