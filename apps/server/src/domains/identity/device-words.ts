/** Tested in this order: each user agent also contains the names of those below. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger\/([\d]+)/, '微信'],
  [/Edg\w*\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Chrome\/(\d+)/, 'Chrome'],
  [/Version\/(\d+)[.\d]* .*Safari/, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/HarmonyOS|OpenHarmony/, '鸿蒙'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

/** A short description of a device, from the user agent. */
export function deviceWords(agent: string): string {
  if (!agent) return '未知设备'
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1]
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(agent)?.[1]
    if (version) return [`${name} ${version}`, system].filter(Boolean).join('，')
  }
  return system ?? '其他程序'
}
