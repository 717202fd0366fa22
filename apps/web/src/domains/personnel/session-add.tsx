import type { SessionDetail } from '@zhugong/contract/personnel/train-model'
import { changeSession } from '@zhugong/contract/personnel/training'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { FormSheet } from '#kit/form-sheet.tsx'
import { SessionPeople } from './session-people.tsx'
import { anyProject } from './session-words.tsx'

/** Puts further people on the list of a session. */
export function AddPeople({ file, onClose }: { file: SessionDetail; onClose: () => void }) {
  const [chosen, setChosen] = useState<string[]>([])
  const act = useAct(changeSession, { success: ({ done }) => `已增加 ${done} 人`, onDone: onClose })
  const save = () =>
    act.run(
      {
        params: { id: file.id },
        query: anyProject,
        body: { action: 'add', version: file.version, workers: chosen.map((projectWorkerId) => ({ projectWorkerId })) },
      },
      { fieldsShown: true },
    )
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
      <SessionPeople
        projectCode={file.projectCode}
        without={file.workers.map((one) => one.projectWorkerId)}
        value={chosen}
        onChange={setChosen}
      />
      {act.fieldErrors.workers && (
        <small className="tone-danger" data-wrong="">
          {act.fieldErrors.workers}
        </small>
      )}
    </FormSheet>
  )
}
