import type { BriefingDetail, changeGangBriefing } from '@zhugong/contract/briefings/calls'
import { useState } from 'react'
import type { Act } from '#kit/call.ts'
import { FormSheet } from '#kit/form-sheet.tsx'
import { anyProject } from './briefing-words.tsx'
import { Receivers } from './receivers.tsx'

type Change = typeof changeGangBriefing extends { types?: { in: infer In; out: infer Out } } ? Act<In, Out> : never

/** People who join while signatures are collected; nobody's signature becomes void. */
export function MorePeople({ file, act, onClose }: { file: BriefingDetail; act: Change; onClose: () => void }) {
  const [chosen, setChosen] = useState<string[]>([])
  const there = file.receivers.map((one) => one.stayId)
  const save = async () => {
    const done = await act.run(
      { params: { id: file.id }, query: anyProject, body: { action: 'add', version: file.version, receivers: chosen } },
      { fieldsShown: true },
    )
    if (done) onClose()
  }
  return (
    <FormSheet
      title="增加人员"
      remark={file.name}
      saveText={`增加 ${chosen.length} 人`}
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={act.fieldErrors}
      dirty={chosen.length > 0}
    >
      <Receivers
        projectCode={file.projectCode}
        teamId={file.teamId}
        managers={file.type === 'technical'}
        without={there}
        value={chosen}
        onChange={setChosen}
      />
      {act.fieldErrors.receivers && <small className="tone-danger">{act.fieldErrors.receivers}</small>}
    </FormSheet>
  )
}
