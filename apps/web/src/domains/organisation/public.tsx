import { leastLetters, searchDirectory } from '@zhugong/contract/organisation/corporation-views'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { useFieldValue, useFormInstance } from '#kit/form.tsx'

export { stateTones as projectTones } from './project-words.ts'

/** What the directory knows of the company whose code or name is typed in a company's form, to be taken over at once. */
export function DirectoryHits() {
  const form = useFormInstance()
  const code = useFieldValue<string>('corpCode')?.trim() ?? ''
  const name = useFieldValue<string>('corpName')?.trim() ?? ''
  const keyword = code.length === 18 ? code : name
  const asked = keyword.length >= leastLetters
  const hits = useCall(searchDirectory, { query: { keyword } }, { quiet: true, enabled: asked })
  // Taken over already: nothing more to offer.
  const list = asked ? (hits.data?.list ?? []).filter((one) => one.corpCode !== code || one.corpName !== name) : []
  if (list.length === 0) return null
  return (
    <div className="zg-span-all zg-below-12">
      {list.map((one) => (
        <Notice
          key={one.corpCode}
          tone={one.known ? 'warning' : 'info'}
          actions={
            !one.known && (
              <Button
                size="small"
                onClick={() => {
                  const { known: _known, status: _status, source: _source, ...facts } = one
                  form.setFieldsValue(Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)))
                }}
              >
                按名录填入
              </Button>
            )
          }
        >
          {one.corpName}（{one.corpCode}），{one.status}，法定代表人 {one.legalMan ?? '--'}，
          {one.known ? '已在企业库中' : `据${one.source}`}
        </Notice>
      ))}
    </div>
  )
}
