import { AudioOutlined } from '@ant-design/icons'
import { getTalk, startTalk, stopTalk, talkSeconds } from '@zhugong/contract/monitoring/video/video-talk'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'

const everyMs = 10_000
type State = 'still' | 'opening' | 'open'

/** Why this browser has no microphone; undefined if permission can be requested. */
function noMicrophone(): string | undefined {
  if (!window.isSecureContext) return '浏览器只在 https 下允许使用麦克风'
  return navigator.mediaDevices && 'RTCPeerConnection' in window ? undefined : '这个浏览器不支持语音对讲'
}

/**
 * Talks to the selected camera: one person at a time, whose name others see; nothing is sent before the connection is established. `brief`: for a row
 * of buttons.
 */
export function TalkPanel({ deviceId, brief = false }: { deviceId: string; brief?: boolean }) {
  const may = useCan(startTalk)
  const state = useCall(getTalk, { query: { deviceId } }, { quiet: true, enabled: may, everyMs })
  const start = useAct(startTalk, { success: false, refreshes: [getTalk] })
  const stop = useAct(stopTalk, { success: false, refreshes: [getTalk] })
  const [now, setNow] = useState<State>('still')
  const [result, setResult] = useState<string>()
  const line = useRef<{ peer: RTCPeerConnection; sound: MediaStream } | undefined>(undefined)
  const hangUp = (why?: string) => {
    const open = line.current
    line.current = undefined
    setNow('still')
    setResult(why)
    if (!open) return
    for (const track of open.sound.getTracks()) track.stop()
    open.peer.close()
    void stop.run({ body: { deviceId } })
  }
  const last = useRef(hangUp)
  last.current = hangUp
  const here = useRef(true)
  // Leaving the page ends talking, and also cancels a pending request for the microphone.
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
      last.current()
    }
  }, [])
  useEffect(() => {
    if (now !== 'open') return
    const timer = setTimeout(() => last.current(`一次对讲最长 ${talkSeconds / 60} 分钟，已结束`), talkSeconds * 1_000)
    return () => clearTimeout(timer)
  }, [now])
  const speak = async () => {
    setResult(undefined)
    setNow('opening')
    const sound = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => undefined)
    if (!sound) return hangUp('没有得到麦克风，请在浏览器中允许')
    if (!here.current) {
      for (const track of sound.getTracks()) track.stop()
      return
    }
    const peer = new RTCPeerConnection()
    line.current = { peer, sound }
    for (const track of sound.getAudioTracks()) peer.addTrack(track, sound)
    peer.addEventListener('connectionstatechange', () => {
      if (line.current?.peer !== peer) return
      if (peer.connectionState === 'connected') setNow('open')
      if (peer.connectionState === 'failed') hangUp('语音没有接通，请检查到流媒体服务的网络')
    })
    await peer.setLocalDescription(await peer.createOffer())
    const answer = await start.run({ body: { deviceId, sdp: peer.localDescription?.sdp ?? '' } })
    // The failed call has already shown its message.
    if (!answer) return hangUp()
    if (line.current?.peer !== peer) return
    await peer.setRemoteDescription({ type: 'answer', sdp: answer.data.sdp }).catch(() => hangUp('流媒体服务的语音参数不能识别'))
  }
  const { data } = state
  if (!may || !data) return null
  const others = data.holder !== null && !data.isMine
  const why = data.why ?? noMicrophone()
  const said = others ? `${data.holder} 正在对讲` : now === 'open' ? '正在对讲，对方能听到' : (result ?? '')
  const button = (
    <Button
      size={brief ? 'middle' : 'small'}
      icon={<AudioOutlined />}
      danger={now === 'open'}
      loading={now === 'opening'}
      disabled={others || (brief && why !== undefined)}
      title={brief ? why : undefined}
      onClick={() => (now === 'open' ? hangUp() : void speak())}
    >
      {now === 'open' ? '结束对讲' : '对讲'}
    </Button>
  )
  if (brief)
    return (
      <>
        {button}
        <span className="zg-2" role="status">
          {why ?? said}
        </span>
      </>
    )
  return (
    <>
      <div className="mon-sub">
        对讲 <span>{said}</span>
      </div>
      <p className="vid-links">{why ?? button}</p>
    </>
  )
}
