/** A frame that could not be read may still be an authentication: then only its header is shown. */
export function blankedHex(bytes: Buffer): string {
  const isAuthentication = bytes[0] === 0x01 && (bytes[1] === 0x02 || bytes[1] === 0x00)
  return bytes.toString('hex', 0, isAuthentication ? Math.min(16, bytes.length) : bytes.length)
}
