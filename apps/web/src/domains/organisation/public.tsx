import { leastLetters, searchDirectory } from '@zhugong/contract/organisation/corporation-views'
import { createCorporation } from '@zhugong/contract/organisation/corporations'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'

export { stateTones as projectTones } from './project-words.ts'

const { useValue } = formOf(createCorporation)

/** Suggests companies of the directory that match the code or name being typed, to fill in the form. */
export function DirectoryHits() {
  const form = useFormInstance()
  const code = useValue('corpCode')?.trim() ?? ''
  const name = useValue('corpName')?.trim() ?? ''
  const keyword = code.length === 18 ? code : name
  const requested = keyword.length >= leastLetters
  const hits = useCall(searchDirectory, { query: { keyword } }, { quiet: true, enabled: requested })
  // Hide a match that has been filled in already.
  const list = requested ? (hits.data?.list ?? []).filter((one) => one.corpCode !== code || one.corpName !== name) : []
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
