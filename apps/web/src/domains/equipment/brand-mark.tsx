import './equipment.css'

/** Logo of a brand, or its first character. */
export function BrandMark({ brand, size = 20 }: { brand: { name: string; logo: string | null }; size?: number }) {
  const box = { width: size, height: size, borderRadius: 3, verticalAlign: 'middle' as const }
  return brand.logo ? (
    <img src={brand.logo} alt="" style={{ ...box, objectFit: 'contain' }} />
  ) : (
    <span className="eq-mark" aria-hidden="true" style={{ ...box, fontSize: size * 0.6, lineHeight: `${size}px` }}>
      {brand.name.slice(0, 1)}
    </span>
  )
}
