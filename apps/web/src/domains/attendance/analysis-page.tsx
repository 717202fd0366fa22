import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePrint } from '#kit/use-print.ts'
import { usePageParams } from './page-params.ts'
import { type Behind, PeopleDrawer } from './people-drawer.tsx'
import './attendance.css'
import { KeyPosts } from './analysis-key-posts.tsx'
import { Now } from './analysis-now.tsx'
import { Rhythm } from './analysis-rhythm.tsx'

const tabs = [
  { value: 'now', label: '实时在场' },
  { value: 'rhythm', label: '规律' },
  { value: 'posts', label: '关键岗位到岗' },
]

/** Attendance analysis: people inside now, the site's hours, and presence of key people. */
export default function AnalysisPage() {
  const [params, setParams] = usePageParams()
  const tab = params.get('tab') ?? 'now'
  const projectCode = useProjectCode()
  const [behind, setBehind] = useState<Behind>()
  const print = usePrint('attendanceMuster')
  return (
    <PageShell
      remark={tab === 'now' ? '末次通行为入场、24 小时以内' : tab === 'rhythm' ? '近 90 天' : '应到扣除停工、休息与进退场当日'}
      actions={
        <>
          <Segmented options={tabs} value={tab} onChange={(value) => setParams({ tab: String(value) })} />
          {tab === 'now' && projectCode !== '*' && (
            <Button
              type="primary"
              danger
              loading={print.running}
              onClick={() => void print.run({ body: { feature: 'attendanceMuster', exportType: 'pdf', query: { projectCode } } })}
            >
              应急点名表
            </Button>
          )}
        </>
      }
    >
      {tab === 'now' ? (
        <Now projectCode={projectCode} onOpen={setBehind} />
      ) : tab === 'rhythm' ? (
        <Rhythm projectCode={projectCode} onOpen={setBehind} />
      ) : (
        <KeyPosts projectCode={projectCode} />
      )}
      <PeopleDrawer behind={behind} onClose={() => setBehind(undefined)} />
    </PageShell>
  )
}
