import { type SitePlace, type SitePlan, setPlan } from '@zhugong/contract/places/places'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { accepts, acceptWords } from '#kit/accepts.ts'
import { showFailure, useAct } from '#kit/call.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { storeFile } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'
import { PlanBoard } from './plan-board.tsx'

const accept = 'image/png,image/jpeg,image/webp'
const mostMb = 20

/** Width divided by height of a picture. @throws when it is none */
async function ratioOf(file: File): Promise<number> {
  const picture = await createImageBitmap(file)
  const ratio = picture.width / picture.height
  picture.close()
  return ratio
}

/** The plan of a building, floor or area, with its upload. */
export function PlanCard({ place, plan, may }: { place: SitePlace; plan: SitePlan | undefined; may: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState(false)
  const act = useAct(setPlan, { success: ({ planId }) => (planId ? '平面图已保存' : '平面图已移除') })
  const send = async (file: File) => {
    if (!accepts(accept, file)) return notify.error(`请上传 ${acceptWords(accept)}`)
    if (file.size > mostMb * 1024 ** 2) return notify.error(`${file.name} 超过 ${mostMb} MB`)
    setSending(true)
    try {
      const ratio = await ratioOf(file).catch(() => undefined)
      if (ratio === undefined) return notify.error('图片打不开，请换一张')
      await act.run({ body: { id: place.id, file: await storeFile(file), ratio } })
    } catch (error) {
      showFailure(error)
    } finally {
      setSending(false)
    }
  }
  const remove = () =>
    act.afterRequesting(
      { thing: `移除 ${place.fullName} 的平面图`, consequence: '已标在图上的问题仍保留原图；新的问题不能再标点。', verb: '移除平面图' },
      { body: { id: place.id, file: null } },
    )
  return (
    <Card
      title="平面图"
      remark={plan && `${plan.byName} ${plan.at.slice(0, 16)} 上传`}
      actions={
        may && (
          <>
            <Button loading={sending || act.running} onClick={() => input.current?.click()}>
              {plan ? '更换' : '上传平面图'}
            </Button>
            {plan && (
              <Button danger disabled={sending || act.running} onClick={() => void remove()}>
                移除
              </Button>
            )}
          </>
        )
      }
    >
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label="选择平面图"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen) void send(chosen)
        }}
      />
      {plan ? (
        <div className="place-plan">
          <PlanBoard plan={plan} marks={[]} />
        </div>
      ) : (
        <Empty small text="没有平面图" hint={may ? '上传户型图或总平面图的图片，检查时可以在图上标点' : '由项目部上传'} />
      )}
    </Card>
  )
}
