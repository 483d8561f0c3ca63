import { type Component, defineComponent, h, onMounted, onUnmounted, ref } from 'vue';

/** The playground, which exists in browsers alone. */
export const Playground: Component = defineComponent({
  setup() {
    const root = ref<HTMLElement>();
    // Whoever leaves the page leaves its programs too.
    let [end, isLeft] = [(): void => undefined, false];
    onMounted(async () => {
      const { mountPlayground } = await import('../playground/page.ts');
      if (root.value !== undefined) end = await mountPlayground(root.value);
      if (isLeft) end();
    });
    onUnmounted(() => {
      isLeft = true;
      end();
    });
    return () => h('div', { class: 'tf-playground', ref: root }, [h('p', {}, 'The playground needs JavaScript and a browser with WebAssembly.')]);
  },
});
