/** Remark beside the number of expiring certificates; undefined until loaded. */
export function licenceRemark(f: { certEnded: number; certMissing: number } | undefined): string | undefined {
  if (!f) return undefined
  const parts = [...(f.certEnded ? [`${f.certEnded} 人已过期`] : []), ...(f.certMissing ? [`${f.certMissing} 人缺证`] : [])]
  return parts.length ? `另有 ${parts.join('，')}` : '没有已过期和缺证的'
}
