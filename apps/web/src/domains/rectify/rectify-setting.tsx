import { SettingOutlined } from '@ant-design/icons'
import { changeRectifySetting, getRectifySetting } from '@zhugong/contract/rectify/calls'
import { Button, Skeleton, Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { ErrorPanel } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'

/** Opens how a site handles its own orders. */
export function RectifySettingButton({ projectCode }: { projectCode: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Can call={changeRectifySetting}>
      <Button icon={<SettingOutlined />} onClick={() => setOpen(true)}>
        整改设置
      </Button>
      {open && <SettingSheet projectCode={projectCode} onClose={() => setOpen(false)} />}
    </Can>
  )
}

function SettingSheet({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const read = useCall(getRectifySetting, { query: { projectCode } }, { quiet: true, staleMs: 0 })
  const act = useAct(changeRectifySetting, { success: '已保存，对之后的复核生效', onDone: onClose })
  const [typed, setTyped] = useState<boolean>()
  const setting = read.data
  const supervisorCloses = typed ?? setting?.supervisorCloses ?? false
  const save = () => act.run({ body: { projectCode, supervisorCloses, version: setting?.version ?? 0 } })
  return (
    <FormSheet
      title="整改设置"
      remark="只影响本项目自行下发的整改"
      width={560}
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={act.fieldErrors}
      dirty={typed !== undefined && typed !== setting?.supervisorCloses}
    >
      {read.error && <ErrorPanel error={read.error} retry={read.refetch} />}
      {!setting && !read.error && <Skeleton active />}
      {setting && (
        <div className="zg-work-form">
          <label className="zg-row zg-gap-6 zg-middle" htmlFor="supervisor-closes">
            <Switch id="supervisor-closes" checked={supervisorCloses} onChange={setTyped} />
            监理复核通过即闭合一般隐患
          </label>
          <p className="zg-2">不启用时，监理复核后由下发人复查闭合。重大隐患、停工整改和监管机构下发的整改不受影响。</p>
          {setting.changedBy && (
            <p className="zg-2">
              {setting.changedBy}于 {setting.changedAt} 修改
            </p>
          )}
        </div>
      )}
    </FormSheet>
  )
}
