import { DownloadOutlined } from '@ant-design/icons'
import { downloadClip, longestClipMinutes } from '@zhugong/contract/monitoring/video/video'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { saveAddress, useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { TimeInput } from '#kit/inputs.tsx'

const { Field } = formOf(downloadClip)

const aroundMs = 30_000

interface ClipButtonProps {
  camera: { id: string; name: string; projectCode: string }
  at: () => number
}

/** Downloads a piece of a recording, with a reason. */
export function ClipButton({ camera, at }: ClipButtonProps) {
  const [moment, setMoment] = useState<number>()
  const act = useAct(downloadClip, {
    success: '开始下载，已记入操作日志',
    onDone: ({ url, fileName }) => {
      saveAddress(url, fileName)
      setMoment(undefined)
    },
  })
  return (
    <Can call={downloadClip} at={{ projectCode: camera.projectCode }}>
      <Button icon={<DownloadOutlined />} onClick={() => setMoment(at())}>
        下载片段
      </Button>
      {moment !== undefined && (
        <FormDrawer
          open
          narrow
          width={440}
          title="下载片段"
          remark={camera.name}
          act={act}
          initial={{
            deviceId: camera.id,
            startTime: time(moment - aroundMs),
            endTime: time(Math.min(Date.now(), moment + aroundMs)),
          }}
          onClose={() => setMoment(undefined)}
          input={(body: BodyOf<typeof downloadClip>) => ({ body: { ...body, deviceId: camera.id } })}
        >
          <Field name="startTime" label="开始" span="all" required>
            <TimeInput />
          </Field>
          <Field name="endTime" label="结束" span="all" required help={`一次最多 ${longestClipMinutes} 分钟`}>
            <TimeInput />
          </Field>
          <Field name="reason" label="用途" span="all" required help="与下载人一起记入操作日志">
            <Input placeholder="如 事故调查取证" />
          </Field>
        </FormDrawer>
      )}
    </Can>
  )
}
