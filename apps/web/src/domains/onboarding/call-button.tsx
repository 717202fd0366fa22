import { PhoneOutlined } from '@ant-design/icons'
import { callContact, type ReadinessRow } from '@zhugong/contract/onboarding/endpoints'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useCan } from '#kit/can.tsx'
import { call, showFailure } from '#kit/http.ts'
import { useMe } from '#kit/me.ts'

/** The number is masked again after this time, long enough to dial it. */
const shownMs = 60_000

/** Contact of a site: masked until a permitted user asks for the number, which is audited; then a link that dials. */
export function CallButton({ row }: { row: Pick<ReadinessRow, 'projectCode' | 'name' | 'linkMan' | 'linkPhone'> }) {
  const may = useCan(callContact)
  const isPartial = useMe((me) => me.info?.standing.limited.includes(row.projectCode) ?? true)
  const [phone, setPhone] = useState<string>()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (phone === undefined) return
    const timer = setTimeout(() => setPhone(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [phone])
  if (!row.linkPhone) return null
  if (!may || isPartial) return <>{row.linkPhone}</>
  if (phone)
    return (
      <a href={`tel:${phone}`} className="zg-link zg-num">
        <PhoneOutlined /> {phone}
      </a>
    )
  const ask = async () => {
    setIsOpen(true)
    try {
      const found = await call(callContact, { params: { id: row.projectCode }, query: { projectCode: row.projectCode } }, { group: '*' })
      setPhone(found.phone ?? '未登记')
    } catch (error) {
      showFailure(error)
    } finally {
      setIsOpen(false)
    }
  }
  return (
    <>
      {row.linkPhone}{' '}
      <Button
        size="small"
        type="link"
        className="onb-call"
        icon={<PhoneOutlined />}
        loading={isOpen}
        aria-label={`拨打 ${row.name} ${row.linkMan}`}
        title="显示完整号码，查看会记入操作日志"
        onClick={() => void ask()}
      >
        拨打
      </Button>
    </>
  )
}
