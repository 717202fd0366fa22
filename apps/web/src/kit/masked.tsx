import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import { askReason } from './ask.ts'
import { showFailure } from './http.ts'

/**
 * A masked value with an eye button: asks for a reason, then calls `reveal`, which sends it and returns the clear text. The clear text
 * disappears after a minute, or with the page.
 */
export function Masked({
  value,
  label = '明文',
  reveal,
}: {
  value: string | null | undefined
  label?: string
  reveal?: (reason: string) => Promise<string | null | undefined>
}) {
  const [clear, setClear] = useState<string>()
  useEffect(() => {
    if (clear === undefined) return
    const timer = setTimeout(() => setClear(undefined), 60_000)
    return () => clearTimeout(timer)
  }, [clear])
  if (!value) return <span className="zg-2">--</span>
  const look = async () => {
    const reason = await askReason(`查看${label}`, '查看事由')
    if (!reason || !reveal) return
    try {
      setClear((await reveal(reason)) ?? '--')
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <span className="zg-masked">
      <span className="zg-num">{clear ?? value}</span>
      {reveal && (
        <button
          type="button"
          className="zg-bare zg-link"
          aria-label={clear ? `遮盖${label}` : `查看${label}`}
          onClick={() => (clear ? setClear(undefined) : void look())}
        >
          {clear ? <EyeOutlined /> : <EyeInvisibleOutlined />}
        </button>
      )}
    </span>
  )
}
